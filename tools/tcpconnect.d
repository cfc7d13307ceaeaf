#!/usr/bin/env -S dscope -s
/* Print TCP connections as they are established, accepted and refused, with the addresses of both ends.
 * Usage: dscope-tcpconnect
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  printf("%-20s %-8s %24s %6s    %-24s %6s\n", "TIME", "WHAT", "LOCAL", "PORT", "REMOTE", "PORT");
}

tcp:::connect-established, tcp:::connect-refused, tcp:::accept-established
{
  this->what = probename == "connect-established" ? "connect" : probename == "connect-refused" ? "refused" : "accept";
}

tcp:::connect-established, tcp:::connect-refused, tcp:::accept-established
{
  printf("%-20Y %-8s %24s %6d -> %-24s %6d\n", walltimestamp, this->what, args[3]->tcps_laddr, args[3]->tcps_lport,
    args[3]->tcps_raddr, args[3]->tcps_rport);
  @[this->what] = count();
}

dtrace:::END
{
  printa("%-8s %@d\n", @);
}
