#!/usr/bin/env -S dscope -s
/* How much TCP traffic goes to and comes from each host?
 *
 * Bytes of TCP headers and data. FROM and TO are the ends of the packets as they were sent.
 */
#pragma D arg -d -i -t
#pragma D arg --port PORT "only packets from or to this port"
#pragma D option quiet
#pragma D option aggkept

dtrace:::BEGIN
{
  printf("Counting TCP segments... Ctrl-C ends it.\n");
}

tcp:::send, tcp:::receive
/$port == 0 || args[4]->tcp_sport == $port || args[4]->tcp_dport == $port/
{
  this->way = probename == "send" ? "sent" : "received";
  @bytes[this->way, args[2]->ip_saddr, args[2]->ip_daddr] = sum(args[2]->ip_plength - args[4]->tcp_offset);
  @segments[this->way, args[2]->ip_saddr, args[2]->ip_daddr] = count();
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@bytes, $top);
  printf("\n%-8s %-15s %-15s %12s %10s\n", "WAY", "FROM", "TO", "DATA(B)", "SEGMENTS");
  printa("%-8s %-15s %-15s %@12d %@10d\n", @bytes, @segments);
  trunc(@bytes);
  trunc(@segments);
}
