/* A retransmitted SYN-ACK is marked as such, and not counted as another connection.
 @@command: %T/tun unanswered */
#pragma D option quiet

tcp:::send
/args[4]->tcp_sport == 4243 && args[2]->ip_daddr == "10.77.9.2"/
{
	printf("%d %d\n", args[4]->tcp_flags == (TH_SYN | TH_ACK), args[3]->tcps_retransmit);
}
mib:::tcpRetransSegs /again++ == 0/ { printf("%s %d\n", probename, args[0]); }
