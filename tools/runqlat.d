#!/usr/bin/env -S dscope -s
/* How long do threads that could run wait for a CPU?
 *
 * Distributions in microseconds. Waits above a few milliseconds mean that there are too few CPUs, or that a limit
 * (a cgroup quota) is at work. --by-process shows one distribution per program.
 */
#pragma D arg -p -c -n -C -K -d -i -t
#pragma D arg -P, --by-process "a distribution for each program"
#pragma D option quiet
#pragma D option aggkept

inline int is_wanted[pid_t process, string program] =
  ($target == 0 || process == $target) && ($$name == "" || program == $$name);
inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  printf("Measuring waits for a CPU... Ctrl-C ends it.\n");
}

sched:::enqueue
/is_wanted[args[1]->pr_pid, args[1]->pr_fname]/
{
  queued[args[0]->pr_lwpid, args[1]->pr_pid] = timestamp;
}

sched:::on-cpu
/queued[tid, pid] && ($$container == "" || container == $$container)/
{
  this->us = (timestamp - queued[tid, pid]) / 1000;
  @[$by_process || $by_container ? owner : "microseconds until it ran"] = quantize(this->us);
  @longest[owner] = max(this->us);
  @waits[owner] = count();
}

sched:::on-cpu
/queued[tid, pid]/
{
  queued[tid, pid] = 0;
}

profile:::tick-$interval, dtrace:::END
{
  printa(@);
  if ($$format != "folded")
    trunc(@longest, $top);
  printf("\n%-16s %12s %10s\n", $by_container ? "CONTAINER" : "PROGRAM", "LONGEST(us)", "WAITS");
  printa("%-16s %@12d %@10d\n", @longest, @waits);
  trunc(@);
  trunc(@longest);
  trunc(@waits);
}
