#!/usr/bin/env -S dscope -s
/* Which processes read and write the most by system calls?
 *
 * Files, pipes, terminals and sockets all count; see dscope-iosnoop for the requests that reach disks.
 */
#pragma D arg -p -c -n -C -K -d
#pragma D arg -i TIME=5s
#pragma D arg -t N=10
#pragma D option quiet
#pragma D option aggkept

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;
inline string process = $by_container ? "-" : lltostr(pid);

dtrace:::BEGIN
{
  printf("Counting bytes read and written... Ctrl-C ends it.\n");
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::recvfrom:return,
syscall::recvmsg:return
/errno == 0 && is_traced/
{
  @in[owner, process] = sum(arg0);
  @out[owner, process] = sum(0);
  @all[owner, process] = sum(arg0);
  @calls[owner, process] = count();
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::sendto:return, syscall::sendmsg:return
/errno == 0 && is_traced/
{
  @in[owner, process] = sum(0);
  @out[owner, process] = sum(arg0);
  @all[owner, process] = sum(arg0);
  @calls[owner, process] = count();
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@all, $top);
  normalize(@in, 1024);
  normalize(@out, 1024);
  normalize(@all, 1024);
  printf("\n%-16s %8s %12s %12s %12s %10s\n", $by_container ? "CONTAINER" : "PROGRAM", "PID", "TOTAL(KiB)", "READ(KiB)", "WRITTEN(KiB)", "CALLS");
  printa("%-16s %8s %@12d %@12d %@12d %@10d\n", @all, @in, @out, @calls);
  trunc(@in);
  trunc(@out);
  trunc(@all);
  trunc(@calls);
}
