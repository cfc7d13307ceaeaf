/* Counters of a router: only IP receives what it forwards, and IP does not count that as sent. Among 24 packets to this machine, 10
 were datagrams to sockets. The others are for the warm-up.
 @@command: %T/tun routed */
#pragma D option quiet

udp:::receive
/args[2]->ip_saddr == "10.77.9.3" || args[2]->ip_saddr == "fd77:9::3"/
{
	warm++;
}
ip:::send
/args[2]->ip_saddr == "10.77.9.3" || args[2]->ip_saddr == "fd77:9::3"/
{
	early++;
}
mib:::udpInDatagrams /pid == $target/ { delivered++; }
mib:::ipInDelivers /pid == $target/ { here++; }
mib:::ipForwDatagrams /pid == $target/ { forwarded++; }
mib:::udpNoPorts, mib:::tcpInSegs, mib:::tcpOutSegs, mib:::tcpOutRsts /pid == $target/ { @[probename] = sum(args[0]); }
END { printf("%d %d %d\n", here - warm, delivered - warm, forwarded - early); }
