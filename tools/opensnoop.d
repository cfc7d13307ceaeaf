#!/usr/bin/env -S dscope -s
/* Which files do programs open, and with what result?
 *
 * FD is the descriptor, or -1 with the error in ERR. Relative paths are shown in full.
 * A program that fails without a message often looks for a file in the wrong place.
 */
#pragma D arg -p -c -n -C -K -T -x -d
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline int AT_FDCWD = -100;

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%-7s %-16s %4s %-8s %s\n", "PID", "PROGRAM", "FD", "ERR", "PATH");
}

syscall::open:entry
/is_traced/
{
  self->folder = AT_FDCWD;
  self->path = arg0;
}

syscall::openat:entry, syscall::openat2:entry
/is_traced/
{
  self->folder = (int)arg0;
  self->path = arg1;
}

/* Read the path at the return: the kernel has read it by then, so it is in memory. */
syscall::open:return, syscall::openat:return, syscall::openat2:return
/self->path && (!$errors || errno != 0)/
{
  this->path = copyinstr(self->path);
  this->base = substr(this->path, 0, 1) == "/" ? "" :
    strjoin(self->folder == AT_FDCWD ? cwd : fds[self->folder].fi_pathname, "/");
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%-7d %-16s %4d %-8s %s\n", pid, execname, errno != 0 ? -1 : (int)arg0, errno,
    strjoin(this->base, this->path));
  @opened = count();
  @failed = sum(errno != 0);
}

syscall::open:return, syscall::openat:return, syscall::openat2:return
{
  self->path = 0;
  self->folder = 0;
}

dtrace:::END
{
  printa("%@d files opened, %@d without success\n", @opened, @failed);
}
