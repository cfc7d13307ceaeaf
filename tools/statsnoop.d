#!/usr/bin/env -S dscope -s
/* Which files do programs ask about with stat, access or readlink?
 *
 * ERR is 0 if the call succeeded.
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
  printf("%-7s %-16s %-12s %-8s %s\n", "PID", "PROGRAM", "CALL", "ERR", "PATH");
}

syscall::stat:entry, syscall::lstat:entry, syscall::access:entry, syscall::readlink:entry
/is_traced/
{
  self->path = arg0;
}

syscall::newfstatat:entry, syscall::statx:entry, syscall::faccessat:entry, syscall::faccessat2:entry,
syscall::readlinkat:entry
/is_traced/
{
  self->path = arg1;
}

syscall::stat:return, syscall::lstat:return, syscall::access:return, syscall::readlink:return,
syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return, syscall::faccessat2:return,
syscall::readlinkat:return
/self->path/
{
  this->path = copyinstr(self->path);
  self->path = 0;
  self->is_named = this->path != "";
}

syscall::stat:return, syscall::lstat:return, syscall::access:return, syscall::readlink:return,
syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return, syscall::faccessat2:return,
syscall::readlinkat:return
/self->is_named && (!$errors || errno != 0)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%-7d %-16s %-12s %-8s %s\n", pid, execname, probefunc, errno, this->path);
  @asked = count();
  @failed = sum(errno != 0);
}

dtrace:::END
{
  printa("%@d calls, %@d without success\n", @asked, @failed);
}
