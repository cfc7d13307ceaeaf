#!/usr/bin/env -S dscope -s
/* Which reads and writes of files take long?
 *
 * US is the time that the system call took, with waiting for disk and locks, in microseconds.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg -m, --min TIME=10ms "only reads and writes that take at least this long"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-1s %10s %10s %s\n", "PID", "PROGRAM", "D", "BYTES", "US", "FILE");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::write:entry, syscall::pwrite64:entry,
syscall::writev:entry, syscall::fsync:entry, syscall::fdatasync:entry
/is_traced && fds[arg0].fi_fs != "" && fds[arg0].fi_fs != "sockfs" && fds[arg0].fi_fs != "pipefs"/
{
  self->path = fds[arg0].fi_pathname;
  self->start = timestamp;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::write:return, syscall::pwrite64:return,
syscall::writev:return, syscall::fsync:return, syscall::fdatasync:return
/self->start && timestamp - self->start >= $min/
{
  this->letter = probefunc == "fsync" || probefunc == "fdatasync" ? "S" : strstr(probefunc, "read") != NULL ? "R" : "W";
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-1s %10d %10d %s\n", pid, execname, this->letter, errno != 0 ? 0 : arg0,
    (timestamp - self->start) / 1000, self->path);
  @slow = count();
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::write:return, syscall::pwrite64:return,
syscall::writev:return, syscall::fsync:return, syscall::fdatasync:return
/self->start/
{
  self->start = 0;
  self->path = 0;
}

dtrace:::END
{
  printa("%@d slow calls\n", @slow);
}
