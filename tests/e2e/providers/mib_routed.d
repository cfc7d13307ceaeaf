/* Counters of a router: what it forwards is received by IP only, and IP does not send it of its own. Of 18 datagrams to this machine 10
 were to sockets; others are for the warm-up.
 @@command: %T/tun routed */
#pragma D option quiet

udp:::receive
/args[2]->ip_saddr == "10.77.9.3" || args[2]->ip_saddr == "fd77:9::3"/
{
	warm++;
}
mib:::udpInDatagrams /pid == $target/ { delivered++; }
mib:::udpNoPorts, mib:::tcpInSegs, mib:::tcpOutSegs, mib:::tcpOutRsts /pid == $target/ { @[probename] = sum(args[0]); }
END { printf("%d\n", delivered - warm); }
