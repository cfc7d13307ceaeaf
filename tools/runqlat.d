#!/usr/bin/env -S dscope -s
/* Show how long runnable threads wait for a CPU, as a distribution in microseconds.
 * Usage: dscope-runqlat [PROGRAM]
 * Waits above a few milliseconds mean that there are too few CPUs, or that a limit (a cgroup quota) is at work.
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
  printf("Measuring waits for a CPU... Ctrl-C ends it.\n");
}

sched:::enqueue
/$$1 == "" || args[1]->pr_fname == $$1/
{
  queued[args[0]->pr_lwpid, args[1]->pr_pid] = timestamp;
}

sched:::on-cpu
/queued[tid, pid]/
{
  this->us = (timestamp - queued[tid, pid]) / 1000;
  @["microseconds until it ran"] = quantize(this->us);
  @longest[execname] = max(this->us);
  queued[tid, pid] = 0;
}

dtrace:::END
{
  printa(@);
  if ($$format != "folded")
    trunc(@longest, 10);
  printf("\n%-16s %12s\n", "PROGRAM", "LONGEST(us)");
  printa("%-16s %@12d\n", @longest);
}
