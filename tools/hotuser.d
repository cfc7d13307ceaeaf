#!/usr/bin/env -S dscope -s
/* Which functions of programs use the most CPU time?
 *
 * A function has one row, whatever the process. With -n, -p or -c, only functions of this program.
 */
#pragma D arg -p -c -n -C -d -i
#pragma D arg -t N=30
#pragma D option quiet
#pragma D option aggmerge

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  printf("Sampling... Ctrl-C ends it.\n");
}

profile-997
/arg1 && is_traced/
{
  @[ufunc(arg1)] = count();
  @all = count();
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printf("\n%-60s %10s\n", "FUNCTION", "SAMPLES");
  printa("%-60A %@10d\n", @);
  printa("%@d samples in user code\n", @all);
  trunc(@);
  clear(@all);
}
