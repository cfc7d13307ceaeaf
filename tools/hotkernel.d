#!/usr/bin/env -S dscope -s
/* Show the kernel functions that use the most CPU time, by samples.
 * Usage: dscope-hotkernel
 */
#pragma D option quiet
#pragma D option aggmerge

dtrace:::BEGIN
{
  printf("Sampling... Ctrl-C ends it.\n");
}

profile-997
{
  @all = count();
}

profile-997
/arg0/
{
  @[func(arg0)] = count();
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, 30);
  printf("%-60s %10s\n", "FUNCTION", "SAMPLES");
  printa("%-60a %@10d\n", @);
  printa("%@d samples on all CPUs, idle ones included\n", @all);
}
