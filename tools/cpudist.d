#!/usr/bin/env -S dscope -s
/* How long do threads run before they give up a CPU?
 *
 * Distributions in microseconds for each program. --off measures the time off the CPU instead, until the thread runs
 * again.
 */
#pragma D arg -p -c -n -C -K -d -i
#pragma D arg --off "the time that threads do not run"
#pragma D option quiet

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  if ($off) printf("Measuring time off CPUs... Ctrl-C ends it.\n");
  else printf("Measuring time on CPUs... Ctrl-C ends it.\n");
}

sched:::on-cpu
/!$off && pid != 0 && is_traced/
{
  self->start = timestamp;
}

sched:::off-cpu
/!$off && self->start/
{
  @[owner] = quantize((timestamp - self->start) / 1000);
  self->start = 0;
}

sched:::off-cpu
/$off && pid != 0 && is_traced/
{
  self->start = timestamp;
}

sched:::on-cpu
/$off && self->start/
{
  @[owner] = quantize((timestamp - self->start) / 1000);
  self->start = 0;
}

profile:::tick-$interval, dtrace:::END
{
  printa("\n%s, us%@d", @);
  trunc(@);
}
