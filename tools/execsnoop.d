#!/usr/bin/env -S dscope -s
/* Print commands as they start, with their arguments, user and parent.
 * Usage: dscope-execsnoop
 * Shows programs too short-lived for ps and top.
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  printf("%-20s %6s %6s %6s %s\n", "TIME", "UID", "PPID", "PID", "ARGS");
}

proc:::exec-success
{
  printf("%-20Y %6d %6d %6d %s\n", walltimestamp, uid, ppid, pid, curpsinfo->pr_psargs);
  @started = count();
}

dtrace:::END
{
  printa("%@d commands\n", @started);
}
