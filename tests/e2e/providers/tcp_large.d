/* A send larger than the length field of an IP header.
 @@command: %T/sockets large 2000000 */
#pragma D option quiet

tcp:::send, tcp:::receive /args[2]->ip_saddr == "127.77.7.8"/ { @[probename] = sum(args[2]->ip_plength - args[4]->tcp_offset); }
ip:::send /args[2]->ip_saddr == "127.77.7.8" && args[2]->ip_plength > 3000000/ { @odd = count(); }
