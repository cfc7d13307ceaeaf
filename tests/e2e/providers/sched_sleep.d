/* From sleep to wakeup, to the run queue, to the CPU.
 @@command: %T/tasks sleep 20 */
#pragma D option quiet

int slept, woken, queued, taken;
sched:::sleep /pid == $target/ { slept++; }
sched:::wakeup /args[1]->pr_pid == $target/ { woken++; }
sched:::enqueue /args[1]->pr_pid == $target/ { queued += args[2]->cpu_id >= 0 && args[3] >= 0; }
sched:::dequeue /args[1]->pr_pid == $target/ { taken += args[2]->cpu_id == cpu; }
END { printf("%d %d %d %d", slept >= 20, woken >= 20, queued >= 20, taken >= 20); }
