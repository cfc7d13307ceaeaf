#!/usr/bin/env -S dscope -s
/* Which system calls are made most, and which take long?
 *
 * TOTAL includes the time that calls wait. P95 and P99 are percentiles of the durations, in microseconds.
 * --by-process counts per program instead of per call.
 */
#pragma D arg -p -c -n -x -d -i -t
#pragma D arg -P, --by-process "count by program"
#pragma D option quiet
#pragma D option aggkept

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) && ($$name == "" || execname == $$name);

dtrace:::BEGIN
{
  printf("Counting system calls... Ctrl-C ends it.\n");
}

syscall:::entry
/is_traced/
{
  self->start = timestamp;
}

syscall:::return
/self->start && (!$errors || errno != 0)/
{
  this->us = (timestamp - self->start) / 1000;
  this->key = $by_process ? execname : probefunc;
  @count[this->key] = count();
  @failed[this->key] = sum(errno != 0);
  @total[this->key] = sum(this->us);
  @percentiles[this->key] = percentile(this->us, 95, 99);
  @longest[this->key] = max(this->us);
}

syscall:::return
/self->start/
{
  self->start = 0;
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@count, $top);
  if ($by_process)
    printf("\n%-24s %10s %8s %12s %8s %8s %12s\n", "PROGRAM", "COUNT", "FAILED", "TOTAL(us)", "P95", "P99", "LONGEST(us)");
  else
    printf("\n%-24s %10s %8s %12s %8s %8s %12s\n", "CALL", "COUNT", "FAILED", "TOTAL(us)", "P95", "P99", "LONGEST(us)");
  printa("%-24s %@10d %@8d %@12d %@8d %@12d\n", @count, @failed, @total, @percentiles, @longest);
  trunc(@count);
  trunc(@failed);
  trunc(@total);
  trunc(@percentiles);
  trunc(@longest);
}
