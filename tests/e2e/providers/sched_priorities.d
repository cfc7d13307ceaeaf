/* Priorities that a thread sets for itself, by each available system call.
 @@command: chrt -f 10 chrt -b 0 chrt -d --sched-runtime 1000000 --sched-deadline 10000000 --sched-period 10000000 0 nice -n 3 true */
#pragma D option quiet

sched:::change-pri /args[1]->pr_pid == $target/ { printf("%s to %d\n", args[1]->pr_fname, args[2]); }
