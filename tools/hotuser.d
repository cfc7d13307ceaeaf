#!/usr/bin/env -S dscope -s
/* Show the functions of a program that use the most CPU time.
 * Usage: dscope-hotuser PROGRAM
 *        dscope-hotuser -c COMMAND
 *        dscope-hotuser -p PID
 */
#pragma D option quiet
#pragma D option aggmerge
#pragma D option defaultargs

dtrace:::BEGIN
/$$1 == "" && $target == 0/
{
  printf("usage: dscope-hotuser PROGRAM, or -c COMMAND, or -p PID\n");
  exit(2);
}

dtrace:::BEGIN
/$$1 != "" || $target != 0/
{
  printf("Sampling... Ctrl-C ends it.\n");
}

profile-997
/arg1 && ($target ? pid == $target : execname == $$1)/
{
  @[ufunc(arg1)] = count();
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, 30);
  printf("%-60s %10s\n", "FUNCTION", "SAMPLES");
  printa("%-60A %@10d\n", @);
}
