/* IPv6 addresses as pointers.
 @@command: %T/sockets refused6 */
#pragma D option quiet

ip:::send /args[5]->ipv6_saddr == "::1" && args[5]->ipv6_nextstr == "TCP"/
{
	@[inet_ntoa6(args[5]->ipv6_src), inet_ntop(AF_INET6, args[5]->ipv6_dst), args[5]->ipv6_dst->in6_u.u6_addr8[15]] = max(1);
}
BEGIN { printf("%d\n", sizeof (conninfo_t) > 0); }
