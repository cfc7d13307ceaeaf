#!/usr/bin/env -S dscope -s
/* Which processes change their user or group?
 *
 * WAS and NOW are user ids, or group ids for calls that change groups.
 */
#pragma D arg -p -c -n -C -K -T -x -d
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-10s %7s %7s %s\n", "PID", "PROGRAM", "CALL", "WAS", "NOW", "ERR");
}

syscall::setuid:entry, syscall::setreuid:entry, syscall::setresuid:entry, syscall::setfsuid:entry
/is_traced/
{
  self->is_set = 1;
  self->was = curthread->cred->euid.val;
}

syscall::setgid:entry, syscall::setregid:entry, syscall::setresgid:entry, syscall::setfsgid:entry
/is_traced/
{
  self->is_set = 1;
  self->was = curthread->cred->egid.val;
}

syscall::setuid:return, syscall::setreuid:return, syscall::setresuid:return, syscall::setfsuid:return
/self->is_set && (!$errors || errno != 0)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-10s %7d %7d %s\n", pid, execname, probefunc, self->was, curthread->cred->euid.val, errno);
  @changes = count();
}

syscall::setgid:return, syscall::setregid:return, syscall::setresgid:return, syscall::setfsgid:return
/self->is_set && (!$errors || errno != 0)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-10s %7d %7d %s\n", pid, execname, probefunc, self->was, curthread->cred->egid.val, errno);
  @changes = count();
}

syscall::set*id:return
{
  self->is_set = 0;
  self->was = 0;
}

dtrace:::END
{
  printa("%@d calls\n", @changes);
}
