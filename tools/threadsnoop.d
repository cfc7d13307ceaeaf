#!/usr/bin/env -S dscope -s
/* Which threads and processes are created?
 *
 * KIND is process or thread. NEW is the thread id of the new one.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

inline int CLONE_THREAD = 0x10000;

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %7s %-16s %-8s %7s\n", "PID", "TID", "PROGRAM", "KIND", "NEW");
}

sdt:task::task_newtask
/is_traced/
{
  this->kind = args[2] & CLONE_THREAD ? "thread" : "process";
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %7d %-16s %-8s %7d\n", pid, tid, execname, this->kind, args[0]);
  @created[this->kind] = count();
}

dtrace:::END
{
  printa("%s: %@d\n", @created);
}
