#!/usr/bin/env -S dscope -s
/* Show the files that are read and written most, by bytes and by calls.
 * Usage: dscope-filetop [PROGRAM]
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
  printf("Counting reads and writes of files... Ctrl-C ends it.\n");
}

syscall::read:entry, syscall::pread64:entry, syscall::write:entry, syscall::pwrite64:entry
/($$1 == "" || execname == $$1) && fds[arg0].fi_fs != "" && fds[arg0].fi_fs != "sockfs" && fds[arg0].fi_fs != "pipefs"/
{
  self->path = fds[arg0].fi_pathname;
  self->is_file = 1;
}

syscall::read:return, syscall::pread64:return, syscall::write:return, syscall::pwrite64:return
/self->is_file && (int64_t)arg0 >= 0/
{
  @calls[probefunc, self->path] = count();
  @bytes[probefunc, self->path] = sum(arg0);
}

syscall::read:return, syscall::pread64:return, syscall::write:return, syscall::pwrite64:return
/self->is_file/
{
  self->is_file = 0;
  self->path = 0;
}

dtrace:::END
{
  setopt("aggsortrev");
  if ($$format != "folded")
    trunc(@bytes, 30);
  printf("%-9s %-56s %12s %8s\n", "CALL", "FILE", "BYTES", "CALLS");
  printa("%-9s %-56s %@12d %@8d\n", @bytes, @calls);
}
