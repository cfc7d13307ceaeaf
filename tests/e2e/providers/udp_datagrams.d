/* Datagrams with their lengths, and the ip probes of the same packets.
 @@command: %T/sockets udp 7 */
#pragma D option quiet

udp:::send, udp:::receive /args[2]->ip_saddr == "127.77.7.8"/ { @[probeprov, probename, args[2]->ip_daddr, args[4]->udp_length] = count(); }
ip:::send, ip:::receive /args[2]->ip_saddr == "127.77.7.8"/ { @ip[probename, args[4]->ipv4_protostr, args[2]->ip_plength, args[3]->if_name, args[3]->if_local, args[5]->ipv6_saddr] = count(); }
