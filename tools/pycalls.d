#!/usr/bin/env -S dscope -s
/* Which functions of a Python program are called most, by file, line and name; generators count each time they yield.
 * Usage: pycalls.d -c 'python3 SCRIPT'
 *        pycalls.d -p PID
 * Needs a Python that was built with static probes (Debian's is).
 */
#pragma D option quiet

python$target:::function-return
{
  @[basename(copyinstr(arg0)), (int)arg2, copyinstr(arg1)] = count();
  @all = count();
}

dtrace:::END
{
  trunc(@, 30);
  printf("%-32s %6s %-32s %10s\n", "FILE", "LINE", "FUNCTION", "CALLS");
  printa("%-32s %6d %-32s %@10d\n", @);
  printa("%@d calls\n", @all);
}
