#!/usr/bin/env -S dscope -s
/* Which commands do users type into bash?
 */
#pragma D arg -p -C -K -T -d
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %6s %s\n", "PID", "UID", "COMMAND");
}

uprobe:/bin/bash:readline:return
/arg1 && ($target == 0 || progenyof($target)) && ($$container == "" || container == $$container)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %6d %s\n", pid, uid, copyinstr(arg1));
  @commands = count();
}

dtrace:::END
{
  printa("%@d commands\n", @commands);
}
