/* A thread that leaves its CPU is no longer running, and a thread that gets it is. A yielding thread stays runnable.
 @@command: %T/tasks busy 300 */
#pragma D option quiet

sched:::off-cpu /pid == $target && tid != $target/ { @["off", curlwpsinfo->pr_state == SONPROC ? "O" : "not O"] = max(1); }
sched:::off-cpu /pid == $target && tid != $target && curlwpsinfo->pr_state == SRUN/ { @["off", "R"] = max(1); }
sched:::on-cpu /pid == $target/ { @["on", curlwpsinfo->pr_sname == 'O' ? "O" : "not O"] = max(1); }
/* In on-cpu, the memory is still that of the previous thread. A thread that exits (PF_EXITING) has none. */
sched:::on-cpu /pid == $target && !(curthread->flags & 4)/ { @memory[curpsinfo->pr_argc, strstr(curpsinfo->pr_psargs, "tasks")] = max(1); }
sched:::enqueue /args[1]->pr_pid == $target && args[0]->pr_state == SONPROC/ { @["enqueue", "O"] = max(1); }
sched:::dequeue /args[1]->pr_pid == $target && args[0]->pr_state == SONPROC/ { @["dequeue", "O"] = max(1); }
