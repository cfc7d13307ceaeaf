/* The scheduler's tick finds a computing thread. Its own request changes its priority.
 @@command: %T/calls spin 300 */
#pragma D option quiet

long same;

sched:::tick /pid == $target/ { ticks++; same += args[1]->pr_pid == pid && args[0]->pr_lwpid == tid; }
END { printf("%d %d\n", ticks > 5, ticks == same); }
