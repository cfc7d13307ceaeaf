/* pr_syscall is the system call in which a thread sleeps, both when it is woken and when it gets its CPU.
 @@command: %T/tasks sleep 20 */
#pragma D option quiet

/* nanosleep, clock_nanosleep */
sched:::wakeup, sched:::dequeue /args[1]->pr_pid == $target && (args[0]->pr_syscall == 35 || args[0]->pr_syscall == 230)/
{
	slept[probename == "wakeup"]++;
}
sched:::wakeup /args[1]->pr_pid == $target && args[0]->pr_stype == SOBJ_CV/ { @[args[0]->pr_state == SSLEEP] = max(1); }
END { printf("%d %d\n", slept[0] >= 20, slept[1] >= 20); }
