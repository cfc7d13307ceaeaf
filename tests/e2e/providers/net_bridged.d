/* IP handles a packet that enters or leaves through a bridge port once: at the bridge.
 @@command: %T/tun bridged */
#pragma D option quiet

ip:::receive, ip:::send
/args[2]->ip_saddr == "10.77.9.2" || args[2]->ip_daddr == "10.77.9.255"/
{
	@[probeprov, probename, args[3]->if_name, args[2]->ip_saddr, args[2]->ip_daddr] = count();
}

udp:::receive, udp:::send
/args[4]->udp_dport == 4242 || (args[4]->udp_dport == 4243 && args[2]->ip_saddr == "10.77.9.2")/
{
	@[probeprov, probename, "", args[2]->ip_saddr, args[2]->ip_daddr] = count();
}
END { printa("%s %s %s %s %s %@d\n", @); }
