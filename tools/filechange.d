#!/usr/bin/env -S dscope -s
/* Who creates, renames, links, truncates or removes files?
 *
 * Calls that change the names, lengths, modes or owners of files. For the bytes written see dscope-filetop.
 */
#pragma D arg -p -c -n -C -K -T -x -d
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

inline int by_first_path = probefunc == "unlink" || probefunc == "rmdir" || probefunc == "mkdir" ||
  probefunc == "rename" || probefunc == "truncate" || probefunc == "chmod" || probefunc == "chown" ||
  probefunc == "link" || probefunc == "creat" || probefunc == "symlink";
inline int has_two_paths = probefunc == "rename" || probefunc == "renameat" || probefunc == "renameat2" ||
  probefunc == "link" || probefunc == "linkat" || probefunc == "symlink" || probefunc == "symlinkat";

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-10s %-8s %s\n", "PID", "PROGRAM", "CALL", "ERR", "PATH");
}

syscall::unlink:entry, syscall::rmdir:entry, syscall::mkdir:entry, syscall::truncate:entry, syscall::chmod:entry,
syscall::chown:entry, syscall::creat:entry
/is_traced/
{
  self->path = arg0;
}

syscall::rename:entry, syscall::link:entry, syscall::symlink:entry
/is_traced/
{
  self->path = arg0;
  self->target = arg1;
}

syscall::unlinkat:entry, syscall::mkdirat:entry, syscall::fchmodat:entry, syscall::fchownat:entry
/is_traced/
{
  self->path = arg1;
}

syscall::renameat:entry, syscall::renameat2:entry, syscall::linkat:entry
/is_traced/
{
  self->path = arg1;
  self->target = arg3;
}

syscall::symlinkat:entry
/is_traced/
{
  self->path = arg0;
  self->target = arg2;
}

syscall::open:entry
/is_traced && (arg1 & (O_CREAT | O_TRUNC))/
{
  self->path = arg0;
}

syscall::openat:entry
/is_traced && (arg2 & (O_CREAT | O_TRUNC))/
{
  self->path = arg1;
}

syscall::unlink:return, syscall::rmdir:return, syscall::mkdir:return, syscall::truncate:return, syscall::chmod:return,
syscall::chown:return, syscall::creat:return, syscall::rename:return, syscall::link:return, syscall::symlink:return,
syscall::unlinkat:return, syscall::mkdirat:return, syscall::fchmodat:return, syscall::fchownat:return,
syscall::renameat:return, syscall::renameat2:return, syscall::linkat:return, syscall::symlinkat:return,
syscall::open:return, syscall::openat:return
/self->path && (!$errors || errno != 0)/
{
  this->path = copyinstr(self->path);
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-10s %-8s %s\n", pid, execname, probefunc, errno,
    self->target ? strjoin(this->path, strjoin(" -> ", copyinstr(self->target))) : this->path);
  @changes = count();
}

syscall::unlink:return, syscall::rmdir:return, syscall::mkdir:return, syscall::truncate:return, syscall::chmod:return,
syscall::chown:return, syscall::creat:return, syscall::rename:return, syscall::link:return, syscall::symlink:return,
syscall::unlinkat:return, syscall::mkdirat:return, syscall::fchmodat:return, syscall::fchownat:return,
syscall::renameat:return, syscall::renameat2:return, syscall::linkat:return, syscall::symlinkat:return,
syscall::open:return, syscall::openat:return
/self->path/
{
  self->path = 0;
  self->target = 0;
}

dtrace:::END
{
  printa("%@d calls\n", @changes);
}
