#!/usr/bin/env -S dscope -s
/* Which commands start, with which arguments?
 *
 * Shows programs too short-lived for ps and top, and attempts that failed, with the error in ERR. A shell tries each folder
 * of its path: only -x shows programs that do not exist.
 */
#pragma D arg -p -c -n -C -K -T -x -d
#pragma D option strsize=1024
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%6s %7s %7s %-8s %s\n", "UID", "PPID", "PID", "ERR", "COMMAND");
}

proc:::exec
/is_traced/
{
  self->path = args[0];
}

proc:::exec-success
/is_traced && !$errors/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%6d %7d %7d %-8s %s\n", uid, ppid, pid, "0",
    memstr(copyin(curthread->mm->arg_start, curthread->mm->arg_end - curthread->mm->arg_start), ' ',
    curthread->mm->arg_end - curthread->mm->arg_start));
  @started = count();
}

proc:::exec-failure
/self->path != NULL && ($errors || errno != ENOENT)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%6d %7d %7d %-8s %s\n", uid, ppid, pid, errno, self->path);
  @failed = count();
}

proc:::exec-success, proc:::exec-failure
{
  self->path = 0;
}

dtrace:::END
{
  printa("%@d commands started\n", @started);
  printa("%@d failed to start\n", @failed);
}
