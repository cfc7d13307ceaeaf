#!/usr/bin/env -S dscope -s
/* Exporter: TCP segments that were sent, and sent again.
 * Usage: dscope --serve=:9464 -s tcp_retransmits.d
 */
#pragma D option quiet
#pragma D option metric="@again name=dscope_tcp_retransmits help=TCP segments that were sent again"
#pragma D option metric="@sent name=dscope_tcp_segments help=TCP segments that were sent"

mib:::tcpRetransSegs
{
  @again = sum(args[0]);
}

mib:::tcpOutSegs
{
  @sent = sum(args[0]);
}
