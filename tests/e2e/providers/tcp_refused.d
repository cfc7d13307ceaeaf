/* A refused connection, from both sides.
 @@command: %T/sockets refused */
#pragma D option quiet

tcp:::connect-refused /args[3]->tcps_laddr == "127.77.7.8"/
{
	@[probename, args[3]->tcps_raddr, args[3]->tcps_rport] = count();
	@[args[4]->tcp_flags & TH_RST ? "reset by" : "", args[2]->ip_saddr, args[4]->tcp_sport] = count();
}
tcp:::accept-refused /args[2]->ip_daddr == "127.77.7.7"/ { @[probename, args[2]->ip_saddr, args[4]->tcp_dport] = count(); }
