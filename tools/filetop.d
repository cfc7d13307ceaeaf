#!/usr/bin/env -S dscope -s
/* Which files are read and written most?
 */
#pragma D arg -p -c -n -C -K -d -i -t
#pragma D option quiet
#pragma D option aggkept
#pragma D option aggsortpos=3

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  printf("Counting reads and writes of files... Ctrl-C ends it.\n");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::write:entry, syscall::pwrite64:entry,
syscall::writev:entry
/is_traced && fds[arg0].fi_fs != "" && fds[arg0].fi_fs != "sockfs" && fds[arg0].fi_fs != "pipefs"/
{
  self->path = fds[arg0].fi_pathname;
  self->is_file = 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return
/self->is_file && errno == 0/
{
  @calls[owner, self->path] = count();
  @read[owner, self->path] = sum(arg0);
  @bytes[owner, self->path] = sum(arg0);
  @written[owner, self->path] = sum(0);
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return
/self->is_file && errno == 0/
{
  @calls[owner, self->path] = count();
  @read[owner, self->path] = sum(0);
  @bytes[owner, self->path] = sum(arg0);
  @written[owner, self->path] = sum(arg0);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::write:return, syscall::pwrite64:return,
syscall::writev:return
/self->is_file/
{
  self->is_file = 0;
  self->path = 0;
}

profile:::tick-$interval, dtrace:::END
{
  setopt("aggsortrev");
  if ($$format != "folded")
    trunc(@bytes, $top);
  printf("\n%-16s %10s %12s %12s %12s %s\n", $by_container ? "CONTAINER" : "PROGRAM", "CALLS", "READ(B)", "WRITTEN(B)", "TOTAL(B)", "FILE");
  printa("%-16s %@10d %@12d %@12d %@12d %s\n", @calls, @read, @written, @bytes);
  trunc(@bytes);
  trunc(@calls);
  trunc(@read);
  trunc(@written);
}
