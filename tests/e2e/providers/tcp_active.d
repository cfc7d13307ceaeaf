/* The end that initiated the connection.
 @@command: %T/sockets tcp */
#pragma D option quiet

tcp:::send, tcp:::state-change, tcp:::connect-established, tcp:::accept-established /args[3]->tcps_laddr == "127.77.7.7" || args[3]->tcps_laddr == "127.77.7.8"/
{
	@[args[3]->tcps_laddr, probename, args[3]->tcps_active] = max(1);
}
