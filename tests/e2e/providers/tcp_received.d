/* Received segments belong to the socket of their connection, as soon as it exists.
 @@command: %T/sockets tcp */
#pragma D option quiet

uint64_t connection[string];
tcp:::connect-established, tcp:::accept-established { connection[args[3]->tcps_laddr] = args[1]->cs_cid; }
tcp:::receive /(args[2]->ip_saddr == "127.77.7.7" || args[2]->ip_saddr == "127.77.7.8") && args[4]->tcp_flags & TH_PUSH/
{
	@[args[3]->tcps_laddr, args[1]->cs_cid == connection[args[3]->tcps_laddr], args[3]->tcps_state == TCP_STATE_ESTABLISHED,
	    args[3]->tcps_active, args[3]->tcps_rnxt == args[4]->tcp_seq, args[3]->tcps_addr == args[1]->cs_addr] = max(1);
}
tcp:::send /args[2]->ip_saddr == "127.77.7.7" && args[4]->tcp_flags & TH_RST/ { printf("%d %d", args[3]->tcps_cwnd, args[3]->tcps_iss); }
