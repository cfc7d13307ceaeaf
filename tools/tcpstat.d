#!/usr/bin/env -S dscope -s
/* Count the bytes that TCP connections send and receive, by address and port of the remote end.
 * Usage: dscope-tcpstat
 */
#pragma D option quiet

dtrace:::BEGIN
{
  printf("Counting bytes of TCP... Ctrl-C ends it.\n");
}

tcp:::send
{
  @sent[args[2]->ip_daddr, args[4]->tcp_dport] = sum(args[2]->ip_plength - args[4]->tcp_offset);
  @got[args[2]->ip_daddr, args[4]->tcp_dport] = sum(0);
}

tcp:::receive
{
  @sent[args[2]->ip_saddr, args[4]->tcp_sport] = sum(0);
  @got[args[2]->ip_saddr, args[4]->tcp_sport] = sum(args[2]->ip_plength - args[4]->tcp_offset);
}

dtrace:::END
{
  printf("%-40s %6s %12s %12s\n", "REMOTE", "PORT", "SENT", "RECEIVED");
  printa("%-40s %6d %@12d %@12d\n", @sent, @got);
}
