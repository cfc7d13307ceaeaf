#!/usr/bin/env -S dscope -s
/* Show the ten programs that read and write the most by system calls, every five seconds.
 * Usage: dscope-rwtop
 * Files, pipes, terminals and sockets all count; see dscope-iosnoop for the requests that reach disks.
 */
#pragma D option quiet

dtrace:::BEGIN
{
  printf("Counting bytes read and written...\n");
}

syscall::*read*:return
/(int64_t)arg0 > 0 && probefunc != "readlink" && probefunc != "readlinkat" && probefunc != "readahead"/
{
  @in[execname, pid] = sum(arg0);
  @all[execname, pid] = sum(arg0);
}

syscall::*write*:return, syscall::send*:return
/(int64_t)arg0 > 0/
{
  @out[execname, pid] = sum(arg0);
  @all[execname, pid] = sum(arg0);
}

tick-5s
{
  if ($$format != "folded")
    trunc(@all, 10);
  normalize(@all, 1024);
  normalize(@in, 1024);
  normalize(@out, 1024);
  printf("\n%Y\n", walltimestamp);
  printf("%-16s %8s %12s\n", "PROGRAM", "PID", "KiB");
  printa("%-16s %8d %@12d\n", @all);
  trunc(@all);
}

dtrace:::END
{
  trunc(@all);
  normalize(@in, 1024);
  normalize(@out, 1024);
  setopt("aggsortrev");
  printf("\nsince the start:\n%-16s %8s %12s %12s\n", "PROGRAM", "PID", "READ(KiB)", "WRITTEN(KiB)");
  printa("%-16s %8d %@12d %@12d\n", @in, @out);
}
