/* Both ends of a connection, from state to state.
 @@command: %T/sockets tcp */
#pragma D option quiet

tcp:::state-change /args[3]->tcps_laddr == "127.77.7.7" || args[3]->tcps_laddr == "127.77.7.8"/
{
	@[args[3]->tcps_laddr, tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]] = count();
}
tcp:::connect-request, tcp:::connect-established, tcp:::accept-established
/args[3]->tcps_laddr == "127.77.7.7" || args[3]->tcps_laddr == "127.77.7.8"/
{
	@events[probename, args[3]->tcps_laddr, args[3]->tcps_raddr, args[3]->tcps_lport != 0 && args[3]->tcps_rport != 0] = count();
}
