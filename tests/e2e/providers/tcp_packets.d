/* connect and accept probes have the packet that established the connection.
 @@command: %T/sockets tcp */
#pragma D option quiet

tcp:::connect-established, tcp:::accept-established
/args[2]->ip_saddr == "127.77.7.7" || args[2]->ip_saddr == "127.77.7.8"/
{
	@[probename, args[2]->ip_saddr, args[2]->ip_saddr == args[3]->tcps_raddr, args[2]->ip_daddr == args[3]->tcps_laddr,
	    args[4]->tcp_sport == args[3]->tcps_rport && args[4]->tcp_dport == args[3]->tcps_lport,
	    args[4]->tcp_flags & TH_SYN ? "SYN" : "", args[4]->tcp_flags & TH_ACK ? "ACK" : ""] = count();
}
END { printa("%s by %s: %d %d %d %s%s %@d\n", @); }
