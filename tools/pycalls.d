#!/usr/bin/env -S dscope -s
/* Count the calls of functions of a Python program, by file, line and name.
 * Usage: dscope-pycalls -c 'python3 SCRIPT'
 *        dscope-pycalls -p PID
 * A generator counts each time it yields. Needs a Python that was built with static probes, as Debian's is.
 */
#pragma D option quiet

python$target:::function-return
{
  @[basename(copyinstr(arg0)), (int)arg2, copyinstr(arg1)] = count();
  @all = count();
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, 30);
  printf("%-32s %6s %-32s %10s\n", "FILE", "LINE", "FUNCTION", "CALLS");
  printa("%-32s %6d %-32s %@10d\n", @);
  printa("%@d calls\n", @all);
}
