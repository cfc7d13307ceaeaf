/* Datagrams sent in fragments are counted once, even with extension headers. ip fires for each fragment.
 @@command: %T/sockets pieces 3 */
#pragma D option quiet

udp:::send, udp:::receive /args[4]->udp_length == 4008/ { @[probename, args[2]->ip_ver, args[3]->udps_lport != 0] = count(); }
udp:::send, udp:::receive /args[4]->udp_length != 4008 && pid == $target/ { @other[probename, args[4]->udp_length] = count(); }
ip:::send /pid == $target && args[3]->if_local/
{
	@fragments[args[2]->ip_ver, args[4]->ipv4_flags & IPH_MF ? "more" : "", args[5]->ipv6_nexthdr, args[2]->ip_plength] = count();
}
