/* The initial sequence numbers of both ends are those of their first segments.
 @@command: %T/sockets tcp */
#pragma D option quiet

uint32_t first[uint16_t, string], last[uint16_t, string];
tcp:::send
/args[4]->tcp_flags & TH_SYN && (args[2]->ip_saddr == "127.77.7.7" || args[2]->ip_saddr == "127.77.7.8")/
{
	first[args[4]->tcp_sport, args[2]->ip_saddr] = args[4]->tcp_seq;
	last[args[4]->tcp_dport, args[2]->ip_daddr] = args[4]->tcp_seq;
}
tcp:::send
/first[args[4]->tcp_sport, args[2]->ip_saddr] && args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
	@[args[2]->ip_saddr, args[3]->tcps_active, args[3]->tcps_iss - first[args[4]->tcp_sport, args[2]->ip_saddr],
	    args[3]->tcps_irs - last[args[4]->tcp_sport, args[2]->ip_saddr]] = max(1);
}
