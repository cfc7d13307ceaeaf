#!/usr/bin/env -S dscope -s
/* Which signals are sent, by whom, to whom?
 *
 * SIGCHLD, which the kernel sends at the end of each child, is left out; --all shows it too.
 * The signal of -s is a number: 9 is SIGKILL, 15 is SIGTERM.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg -s, --signal N "only this signal, by its number"
#pragma D arg -a, --all "SIGCHLD too"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-9s %7s %s\n", "FROM", "PROGRAM", "SIGNAL", "TO", "PROGRAM");
}

proc:::signal-send
/is_traced && ($signal == 0 || args[2] == $signal) && ($all || args[2] != SIGCHLD || $signal == SIGCHLD)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-9s %7d %s\n", pid, execname, args[2], args[1]->pr_pid, args[1]->pr_fname);
  @sent[args[2]] = count();
}

dtrace:::END
{
  printa("%s: %@d\n", @sent);
}
