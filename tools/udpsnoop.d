#!/usr/bin/env -S dscope -s
/* Which programs send UDP packets, and where do packets come from?
 *
 * BYTES is the length of the data. The program of a received packet is not known when the packet arrives.
 */
#pragma D arg -n -T -d
#pragma D arg --port PORT "only packets from or to this port"
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  printf("%-8s %7s %-16s %-39s %-39s %8s\n", "WAY", "PID", "PROGRAM", "FROM", "TO", "BYTES");
}

udp:::send
/($$name == "" || execname == $$name) && ($port == 0 || args[4]->udp_sport == $port || args[4]->udp_dport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-8s %7d %-16s %-39s %-39s %8d\n", "SENT", pid, execname,
    strjoin(args[2]->ip_saddr, strjoin(":", lltostr(args[4]->udp_sport))),
    strjoin(args[2]->ip_daddr, strjoin(":", lltostr(args[4]->udp_dport))), args[4]->udp_length - 8);
  @bytes["sent"] = sum(args[4]->udp_length - 8);
  @packets["sent"] = count();
}

udp:::receive
/$$name == "" && ($port == 0 || args[4]->udp_sport == $port || args[4]->udp_dport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-8s %7s %-16s %-39s %-39s %8d\n", "RECEIVED", "-", "-",
    strjoin(args[2]->ip_saddr, strjoin(":", lltostr(args[4]->udp_sport))),
    strjoin(args[2]->ip_daddr, strjoin(":", lltostr(args[4]->udp_dport))), args[4]->udp_length - 8);
  @bytes["received"] = sum(args[4]->udp_length - 8);
  @packets["received"] = count();
}

dtrace:::END
{
  printa("%s: %@d packets, %@d bytes\n", @packets, @bytes);
}
