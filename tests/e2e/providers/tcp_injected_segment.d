/* A segment that a program injects through a tun device is not its own: the device's socket is not a TCP socket.
 @@command: %T/tun segment */
#pragma D option quiet

tcp:::receive
/args[4]->tcp_sport == 4242 && args[4]->tcp_dport == 4243/
{
	printf("%s %d %d\n", args[2]->ip_saddr, args[1]->cs_cid != 0, args[3]->tcps_state);
}

tcp:::send
/args[4]->tcp_sport == 4242/
{
	printf("sent\n");
}
