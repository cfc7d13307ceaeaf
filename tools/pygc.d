#!/usr/bin/env -S dscope -s
/* How long does Python collect garbage?
 *
 * Traces all Python processes. Needs a Python that was built with static probes, as Debian's is.
 */
#pragma D arg -n -C -K -T -d
#pragma D option quiet
#pragma D option switchrate=10hz
#pragma D option zdefs

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %3s %10s %10s\n", "PID", "PROGRAM", "GEN", "US", "OBJECTS");
}

python*:::gc-start
/($$name == "" || execname == $$name) && ($$container == "" || container == $$container)/
{
  self->start = timestamp;
  self->generation = (int)arg0;
}

python*:::gc-done
/self->start/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %3d %10d %10d\n", pid, execname, self->generation, (timestamp - self->start) / 1000, arg0);
  @total = sum((timestamp - self->start) / 1000);
  @runs = count();
  self->start = 0;
}

dtrace:::END
{
  printa("%@d collections, %@d us\n", @runs, @total);
}
