#!/usr/bin/env -S dscope -s
/* Which programs send and receive the most over TCP?
 *
 * Bytes that the programs passed to and took from the kernel, by process. Needs Linux 6.5 or newer.
 */
#pragma D arg -p -c -n -C -K -d -t
#pragma D arg -i TIME=5s
#pragma D option quiet
#pragma D option aggkept

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;
inline string process = $by_container ? "-" : lltostr(pid);

dtrace:::BEGIN
{
  printf("Counting bytes of TCP connections... Ctrl-C ends it.\n");
}

sdt:sock::sock_send_length
/args[2] == IPPROTO_TCP && args[3] > 0 && is_traced/
{
  @sent[owner, process] = sum(args[3]);
  @received[owner, process] = sum(0);
  @all[owner, process] = sum(args[3]);
}

sdt:sock::sock_recv_length
/args[2] == IPPROTO_TCP && args[3] > 0 && (args[4] & 2) == 0 && is_traced/
{
  @sent[owner, process] = sum(0);
  @received[owner, process] = sum(args[3]);
  @all[owner, process] = sum(args[3]);
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@all, $top);
  printf("\n%-16s %8s %14s %14s %14s\n", $by_container ? "CONTAINER" : "PROGRAM", "PID", "TOTAL(B)", "SENT(B)", "RECEIVED(B)");
  printa("%-16s %8s %@14d %@14d %@14d\n", @all, @sent, @received);
  trunc(@all);
  trunc(@sent);
  trunc(@received);
}
