/* Unconnected sockets: the datagram contains both ends.
 @@command: %T/sockets udp 3 */
#pragma D option quiet

udp:::send, udp:::receive /args[2]->ip_saddr == "127.77.7.8"/
{
	@[probename, args[3]->udps_laddr, args[3]->udps_raddr, args[3]->udps_lport == (probename == "send" ? args[4]->udp_sport : args[4]->udp_dport)] = count();
}
