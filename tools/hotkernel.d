#!/usr/bin/env -S dscope -s
/* Which kernel functions use the most CPU time?
 *
 * %CPU is the share of one CPU, %BUSY the share of all samples that were not idle.
 */
#pragma D arg -n -C -d -i
#pragma D arg -t N=30
#pragma D option quiet
#pragma D option aggkept
#pragma D option aggmerge

dtrace:::BEGIN
{
  printf("Sampling... Ctrl-C ends it.\n");
}

profile-997
/arg0 && pid != 0 && ($$name == "" || execname == $$name) && ($$container == "" || container == $$container)/
{
  @[func(arg0)] = count();
  @share[func(arg0)] = count();
  @kernel = count();
}

profile-997
{
  @all = count();
  seen++;
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  normalize(@share, seen < 100 ? 1 : seen / 100);
  printf("\n%-56s %10s %7s\n", "FUNCTION", "SAMPLES", "%ALL");
  printa("%-56a %@10d %@7d\n", @, @share);
  printa("%@d samples in the kernel, %@d on all CPUs with the idle ones\n", @kernel, @all);
  trunc(@);
  trunc(@share);
  clear(@kernel);
  clear(@all);
  seen = 0;
}
