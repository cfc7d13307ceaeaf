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
  @calls[basename(copyinstr(arg0)), (int)arg2, copyinstr(arg1)] = count();
  @time[basename(copyinstr(arg0)), (int)arg2, copyinstr(arg1)] = sum(this->us);
  @all = count();
  self->begun[tid] = timestamp;
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@calls, $top);
  printf("%-32s %6s %-32s %10s %10s\n", "FILE", "LINE", "FUNCTION", "CALLS", "SELF(us)");
  printa("%-32s %6d %-32s %@10d %@10d\n", @calls, @time);
  printa("%@d calls\n", @all);
  trunc(@calls);
  trunc(@time);
  clear(@all);
}
