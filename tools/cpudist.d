#!/usr/bin/env -S dscope -s
/* Show how long threads run before they give up a CPU, as a distribution in microseconds for each program.
 * Usage: dscope-cpudist [PROGRAM]
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
  printf("Measuring time on CPUs... Ctrl-C ends it.\n");
}

sched:::on-cpu
/pid != 0 && ($$1 == "" || execname == $$1)/
{
  self->start = timestamp;
}

sched:::off-cpu
/self->start/
{
  @[execname] = quantize((timestamp - self->start) / 1000);
  self->start = 0;
}

dtrace:::END
{
  printa("\n%s, us%@d", @);
}
