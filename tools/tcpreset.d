#!/usr/bin/env -S dscope -s
/* Which TCP connections are reset, and by which side?
 *
 * SENT: this machine refused a segment. RECEIVED: the other end did.
 */
#pragma D arg -T -d
#pragma D arg --port PORT "only connections with this local or remote port"
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  printf("%-8s %7s %-16s %-21s %s\n", "WAY", "PID", "PROGRAM", "FROM", "TO");
}

tcp:::send
/args[4]->tcp_flags & TH_RST && ($port == 0 || args[4]->tcp_sport == $port || args[4]->tcp_dport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-8s %7d %-16s %-21s %s\n", "SENT", pid, execname,
    strjoin(args[2]->ip_saddr, strjoin(":", lltostr(args[4]->tcp_sport))),
    strjoin(args[2]->ip_daddr, strjoin(":", lltostr(args[4]->tcp_dport))));
  @["sent"] = count();
}

tcp:::receive
/args[4]->tcp_flags & TH_RST && ($port == 0 || args[4]->tcp_sport == $port || args[4]->tcp_dport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-8s %7s %-16s %-21s %s\n", "RECEIVED", "-", "-",
    strjoin(args[2]->ip_saddr, strjoin(":", lltostr(args[4]->tcp_sport))),
    strjoin(args[2]->ip_daddr, strjoin(":", lltostr(args[4]->tcp_dport))));
  @["received"] = count();
}

dtrace:::END
{
  printa("%@d resets %s\n", @);
}
