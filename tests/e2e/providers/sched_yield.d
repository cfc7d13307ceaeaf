/* Yields, and their results.
 @@command: %T/tasks yield 50 */
#pragma D option quiet

sched:::schedctl-yield /pid == $target/ { @[args[0]] = count(); }
sched:::preempt /pid == 0/ { @idle = count(); }
