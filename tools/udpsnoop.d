#!/usr/bin/env -S dscope -s
/* Which programs send UDP packets, and where do packets come from?
 *
 * BYTES is the length of the data. The program of a received packet is not known when the packet arrives.
 */
#pragma D arg -n -C -K -T -d
#pragma D arg --port PORT "only packets from or to this port"
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%-8s %7s %-15s %6s %-21s %s\n", "WAY", "PID", "PROGRAM", "BYTES", "FROM", "TO");
}

udp:::send
/($$name == "" || execname == $$name) && ($$container == "" || container == $$container) &&
  ($port == 0 || args[4]->udp_sport == $port || args[4]->udp_dport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%-8s %7d %-15s %6d %-21s %s\n", "SENT", pid, execname, args[4]->udp_length - 8,
    strjoin(args[2]->ip_saddr, strjoin(":", lltostr(args[4]->udp_sport))),
    strjoin(args[2]->ip_daddr, strjoin(":", lltostr(args[4]->udp_dport))));
  @bytes["sent"] = sum(args[4]->udp_length - 8);
  @packets["sent"] = count();
}

udp:::receive
/$$name == "" && $$container == "" && ($port == 0 || args[4]->udp_sport == $port || args[4]->udp_dport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", "-");
  printf("%-8s %7s %-15s %6d %-21s %s\n", "RECEIVED", "-", "-", args[4]->udp_length - 8,
    strjoin(args[2]->ip_saddr, strjoin(":", lltostr(args[4]->udp_sport))),
    strjoin(args[2]->ip_daddr, strjoin(":", lltostr(args[4]->udp_dport))));
  @bytes["received"] = sum(args[4]->udp_length - 8);
  @packets["received"] = count();
}

dtrace:::END
{
  printa("%s: %@d packets, %@d bytes\n", @packets, @bytes);
}
