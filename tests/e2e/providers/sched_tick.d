/* The scheduler's clock finds a thread that computes; what a thread asks for itself changes its priority.
 @@command: %T/calls spin 300 */
#pragma D option quiet

long same;

sched:::tick /pid == $target/ { ticks++; same += args[1]->pr_pid == pid && args[0]->pr_lwpid == tid; }
END { printf("%d %d\n", ticks > 5, ticks == same); }
