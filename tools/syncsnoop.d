#!/usr/bin/env -S dscope -s
/* Who waits for files to reach the disk, and how long?
 *
 * Calls of fsync(), fdatasync(), sync(), syncfs(), msync() and sync_file_range().
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
  printf("%7s %-16s %-16s %10s %-8s %s\n", "PID", "PROGRAM", "CALL", "US", "ERR", "FILE");
}

syscall::fsync:entry, syscall::fdatasync:entry, syscall::syncfs:entry, syscall::sync_file_range:entry
/is_traced/
{
  self->path = fds[arg0].fi_pathname;
  self->start = timestamp;
}

syscall::sync:entry, syscall::msync:entry
/is_traced/
{
  self->path = "-";
  self->start = timestamp;
}

syscall::fsync:return, syscall::fdatasync:return, syscall::syncfs:return, syscall::sync_file_range:return,
syscall::sync:return, syscall::msync:return
/self->start && (!$errors || errno != 0)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-16s %10d %-8s %s\n", pid, execname, probefunc, (timestamp - self->start) / 1000, errno,
    self->path);
  @calls = count();
}

syscall::fsync:return, syscall::fdatasync:return, syscall::syncfs:return, syscall::sync_file_range:return,
syscall::sync:return, syscall::msync:return
/self->start/
{
  self->start = 0;
  self->path = 0;
}

dtrace:::END
{
  printa("%@d calls\n", @calls);
}
