#!/usr/bin/env -S dscope -s
/* Which programs wake which others, and how long do these take to run?
 *
 * LATENCY is the average and the longest time from the wakeup until the thread ran.
 */
#pragma D arg -C -d -i
#pragma D arg -n "only wakeups by or of this program"
#pragma D arg -t N=30
#pragma D option quiet
#pragma D option aggkept

dtrace:::BEGIN
{
  printf("Counting wakeups... Ctrl-C ends it.\n");
}

sched:::wakeup
/$$name == "" || execname == $$name || args[1]->pr_fname == $$name/
{
  woken[args[0]->pr_lwpid] = timestamp;
  waker[args[0]->pr_lwpid] = execname;
}

sched:::on-cpu
/woken[tid] && ($$container == "" || container == $$container)/
{
  this->us = (timestamp - woken[tid]) / 1000;
  @count[waker[tid], execname] = count();
  @average[waker[tid], execname] = avg(this->us);
  @longest[waker[tid], execname] = max(this->us);
}

sched:::on-cpu
/woken[tid]/
{
  woken[tid] = 0;
  waker[tid] = 0;
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@count, $top);
  printf("\n%-16s %-16s %10s %12s %12s\n", "WAKER", "WOKEN", "COUNT", "AVERAGE(us)", "LONGEST(us)");
  printa("%-16s %-16s %@10d %@12d %@12d\n", @count, @average, @longest);
  trunc(@count);
  trunc(@average);
  trunc(@longest);
}
