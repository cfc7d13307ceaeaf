#!/usr/bin/env -S dscope -s
/* Which system calls are made most, and which take long?
 *
 * TOTAL includes the time that calls wait. P95 and P99 are percentiles of the durations, in microseconds.
 * --by-process counts per program instead of per call.
 */
#pragma D arg -p -c -n -C -K -x -d -i -t
#pragma D arg -P, --by-process "count by program"
#pragma D option quiet
#pragma D option metric="@count name=dscope_syscalls keys=key help=System calls"
#pragma D option metric="@failed name=dscope_failed_syscalls keys=key help=System calls that failed"
#pragma D option metric="@total name=dscope_syscall_time unit=seconds scale=1e-9 keys=key help=Time in system calls"
#pragma D option metric="@percentiles name=dscope_syscall_time_quantiles unit=seconds scale=1e-6 keys=key help=Percentiles of the time in system calls"
#pragma D option metric="@longest name=dscope_syscall_longest unit=seconds scale=1e-6 keys=key help=Longest system call"
#pragma D option aggkept

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string key = $by_container ? container : $by_process ? execname : probefunc;

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
  @count[key] = count();
  @failed[key] = sum(errno != 0);
  @total[key] = sum(timestamp - self->start);
  @percentiles[key] = percentile(this->us, 95, 99);
  @longest[key] = max(this->us);
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
  normalize(@total, 1000);
  printf("\n%-20s %9s %7s %11s %7s %7s %11s\n", $by_container ? "CONTAINER" : $by_process ? "PROGRAM" : "CALL", "COUNT",
    "FAILED", "TOTAL(us)", "P95", "P99", "LONGEST(us)");
  printa("%-20s %@9d %@7d %@11d %@7d %@11d\n", @count, @failed, @total, @percentiles, @longest);
  trunc(@count);
  trunc(@failed);
  trunc(@total);
  trunc(@percentiles);
  trunc(@longest);
}
