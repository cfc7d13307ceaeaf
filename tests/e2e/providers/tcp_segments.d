/* The handshake, the bytes of both directions, and the end of a connection, as sent and as received.
 @@command: %T/sockets tcp */
#pragma D option quiet

tcp:::send, tcp:::receive /args[2]->ip_saddr == "127.77.7.7" || args[2]->ip_saddr == "127.77.7.8"/
{
	@bytes[probename, args[2]->ip_saddr, "bytes"] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	@syn[probename, args[2]->ip_saddr, "SYN"] = sum((args[4]->tcp_flags & TH_SYN) != 0);
	@fin[probename, args[2]->ip_saddr, "FIN"] = sum((args[4]->tcp_flags & TH_FIN) != 0);
	@version[probename, args[2]->ip_saddr, args[2]->ip_ver] = max(args[4]->tcp_offset >= TCP_MIN_HEADER_LENGTH);
}
