#!/usr/bin/env -S dscope -s
/* Which Python functions are called most, and where does the time go?
 *
 * Needs -c or -p. SELF is the time since the last return of a function in the same thread: roughly the own time of the function.
 * Needs a Python that was built with static probes, as Debian's is. A generator counts each time it yields.
 */
#pragma D arg -p -c -d -i
#pragma D arg -t N=30
#pragma D option quiet
#pragma D option aggkept

python$target:::line
/!self->begun[tid]/
{
  self->begun[tid] = timestamp;
}

python$target:::function-return
{
  this->us = self->begun[tid] ? (timestamp - self->begun[tid]) / 1000 : 0;
  @calls[copyinstr(arg1), (int)arg2, basename(copyinstr(arg0))] = count();
  @time[copyinstr(arg1), (int)arg2, basename(copyinstr(arg0))] = sum(this->us);
  @all = count();
  self->begun[tid] = timestamp;
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@calls, $top);
  printf("%10s %10s %-30s %6s %s\n", "CALLS", "SELF(us)", "FUNCTION", "LINE", "FILE");
  printa("%@10d %@10d %-30s %6d %s\n", @calls, @time);
  printa("%@d calls\n", @all);
  trunc(@calls);
  trunc(@time);
  clear(@all);
}
