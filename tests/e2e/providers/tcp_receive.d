/* Facts of a received segment before its socket is known. Nothing is sent twice.
 @@command: %T/sockets tcp */
#pragma D option quiet

tcp:::receive /args[2]->ip_saddr == "127.77.7.8"/
{
	@[args[3]->tcps_laddr, args[3]->tcps_raddr, args[3]->tcps_lport == args[4]->tcp_dport, args[3]->tcps_rport == args[4]->tcp_sport] = max(1);
}
tcp:::send /args[2]->ip_saddr == "127.77.7.8" || args[2]->ip_saddr == "127.77.7.7"/
{
	@sent[args[3]->tcps_retransmit, args[3]->tcps_local] = max(1);
	@seen[args[3]->tcps_state != 0, args[3]->tcps_addr == arg3] = max(1);
}
