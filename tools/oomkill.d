#!/usr/bin/env -S dscope -s
/* Which processes does the kernel kill because memory ran out?
 *
 * FOR is the program whose allocation failed. Sizes are in MiB.
 */
#pragma D arg -T -d
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  printf("%-16s %7s %-16s %10s %10s %6s\n", "FOR", "PID", "KILLED", "ANON(MiB)", "FILE(MiB)", "SCORE");
}

sdt:oom::mark_victim
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-16s %7d %-16s %10d %10d %6d\n", execname, args[0], stringof(args[1]), args[3] / 1024, args[4] / 1024,
    args[8]);
  @killed = count();
}

dtrace:::END
{
  printa("%@d processes killed\n", @killed);
}
