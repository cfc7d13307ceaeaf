/* With IPv6, the packet that refuses a connection belongs to no socket.
 @@command: %T/sockets refused6 */
#pragma D option quiet

tcp:::send, tcp:::receive, tcp:::accept-refused, tcp:::connect-refused /args[4]->tcp_sport == 1 || args[4]->tcp_dport == 1/
{
	@[probename, args[4]->tcp_flags, args[3]->tcps_local, args[3]->tcps_state] = count();
}
