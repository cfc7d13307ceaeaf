#!/usr/bin/env -S dscope -s
/* Print signals as they are sent, with sender and receiver.
 * Usage: dscope-killsnoop [SIGNAL]      only this signal number
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  printf("%-20s %6s %-16s %-9s %6s %s\n", "TIME", "FROM", "PROGRAM", "SIGNAL", "TO", "PROGRAM");
}

proc:::signal-send
/$1 == 0 || args[2] == $1/
{
  printf("%-20Y %6d %-16s %-9s %6d %s\n", walltimestamp, pid, execname, args[2], args[1]->pr_pid, args[1]->pr_fname);
  @sent[args[2]] = count();
}

dtrace:::END
{
  printa("%s: %@d\n", @sent);
}
