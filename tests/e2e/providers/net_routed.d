/* A router does not receive what it forwards: IP handles it once in each direction. Closed ports receive datagrams too.
 @@command: %T/tun routed */
#pragma D option quiet

ip:::receive, ip:::send
/args[2]->ip_saddr == "10.77.9.2" || args[2]->ip_saddr == "fd77:9::2"/
{
	@[probeprov, probename, args[3]->if_name, args[2]->ip_daddr] = count();
}

udp:::receive, udp:::send, tcp:::receive, tcp:::send
/args[2]->ip_saddr == "10.77.9.2" || args[2]->ip_saddr == "fd77:9::2"/
{
	@[probeprov, probename, "", args[2]->ip_daddr] = count();
}
END { printa("%s %s %s %s %@d\n", @); }
