#!/usr/bin/env -S dscope -s
/* Print the state changes of TCP connections: why a connection hangs, and at which end.
 * Usage: dscope-tcpstates [PORT]        only connections with this port at either end
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  printf("%-20s %24s %6s    %-24s %6s %-13s %s\n", "TIME", "LOCAL", "PORT", "REMOTE", "PORT", "FROM", "TO");
}

tcp:::state-change
/$1 == 0 || args[3]->tcps_lport == $1 || args[3]->tcps_rport == $1/
{
  printf("%-20Y %24s %6d -> %-24s %6d %-13s %s\n", walltimestamp, args[3]->tcps_laddr, args[3]->tcps_lport,
    args[3]->tcps_raddr, args[3]->tcps_rport, tcp_state_string[args[5]->tcps_state],
    tcp_state_string[args[3]->tcps_state]);
  @[tcp_state_string[args[3]->tcps_state]] = count();
}

dtrace:::END
{
  printa("%-13s %@d\n", @);
}
