/*
 * The arguments of the ip, tcp and udp probes: packets, their headers and their sockets. A header is given by its
 * address. NULL is a header or socket that the probe does not have; its members are 0 or "<null>".
 */

#pragma D depends_on library net.d
#pragma D depends_on library tcp.d

typedef uint64_t netstackid_t;

typedef struct pktinfo pktinfo_t;
struct pktinfo {
	uintptr_t pkt_addr;
};
translator pktinfo_t < struct sk_buff *P > {
	pkt_addr = (uintptr_t)P;
};

typedef struct csinfo csinfo_t;
struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	pid_t cs_pid;
	int cs_zoneid;
};
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = (uint64_t)S;
	cs_pid = -1;
	/* Linux has no zones. */
	cs_zoneid = 0;
};

/* The IP header follows the link-layer header when a packet leaves, and is at the packet's data when it arrives. */
inline struct iphdr *__sent_header[struct sk_buff *P] = (struct iphdr *)(P->head + P->network_header);
inline struct iphdr *__received_header[struct sk_buff *P] = (struct iphdr *)P->data;

/* skb->protocol is big endian: 0x0800 and 0x86dd. */
inline int __is_ip[struct sk_buff *P] = P->protocol == 0x0008 || P->protocol == 0xdd86;
inline int __is_v6[struct iphdr *H] = (*(uint8_t *)H >> 4) == 6;
inline struct ipv6hdr *__v6[struct iphdr *H] = (struct ipv6hdr *)H;
/* The protocol after the IP header and its extensions (0 in a fragment without that header), and its header. */
inline int __transport[struct iphdr *H] = __ip_payload(H) & 0xff;
inline uintptr_t __transport_header[struct iphdr *H] = (uintptr_t)H + (__ip_payload(H) >> 8);
inline uint32_t __header_length[struct iphdr *H] = __is_v6[H] ? 40 : (*(uint8_t *)H & 15) * 4;
/* Large segments, which devices split, may have a header without a length. The packet's own length then counts. */
inline uint32_t __written_length[struct iphdr *H] =
    __is_v6[H] ? ntohs(__v6[H]->payload_len) + 40 : ntohs(H->tot_len);
inline uint32_t __is_length_written[struct iphdr *H] = (__is_v6[H] ? __v6[H]->payload_len : H->tot_len) != 0;
inline uint32_t __ip_length[struct sk_buff *P, struct iphdr *H] = (__is_length_written[H] ? __written_length[H] :
    P->len + (uint32_t)((uintptr_t)P->data - (uintptr_t)H)) - __header_length[H];
inline struct tcphdr *__tcp_header[struct iphdr *H] = (struct tcphdr *)__transport_header[H];
inline struct udphdr *__udp_header[struct iphdr *H] = (struct udphdr *)__transport_header[H];
/* Ports of bridges (0x200) and of Open vSwitch (0x400) only carry packets to and from the bridge. IP receives and sends
   these packets at the bridge, which is a separate device. */
inline int __is_bridged[struct sk_buff *P] = (P->dev->priv_flags & 0x600) != 0;
/* A forwarded packet came in through a device and has no socket here. Resets may have no socket either. A packet that a
   program injected through a tun or tap device has the socket of that device. */
inline int __has_socket[struct sk_buff *P] = P->sk != NULL &&
    (P->sk->__sk_common.skc_family == 2 || P->sk->__sk_common.skc_family == 10);
inline int __is_own[struct sk_buff *P] = __has_socket[P] || P->skb_iif == 0;
/* A port of macvlan devices (0x100) sends the packets of these devices again, with their addresses as the source. It also
   receives their packets, as packets for other hosts (3), unless it is promiscuous. */
inline int __is_macvlan_port[struct sk_buff *P] = (P->dev->priv_flags & 0x100) != 0;
inline uint8_t *__frame_source[struct sk_buff *P] = P->head + P->mac_header + 6;
inline int __is_passed_on[struct sk_buff *P] = __is_macvlan_port[P] &&
    (*(uint32_t *)__frame_source[P] != *(uint32_t *)P->dev->dev_addr ||
    *(uint16_t *)(__frame_source[P] + 4) != *(uint16_t *)(P->dev->dev_addr + 4));
inline int __is_for_others[struct sk_buff *P] = P->pkt_type == 3 && (!__is_macvlan_port[P] || P->dev->promiscuity != P->dev->uc_promisc);
inline int __is_ip_sent[struct sk_buff *P] = __is_ip[P] && !__is_bridged[P] && !__is_passed_on[P];
inline int __is_forwarded[struct sk_buff *P] = __is_ip_sent[P] && !__is_own[P];
inline int __is_own_sent[struct sk_buff *P] = __is_ip_sent[P] && __is_own[P];
inline int __is_tcp_sent[struct sk_buff *P] = __is_own_sent[P] && __transport[__sent_header[P]] == 6;
inline int __is_udp_sent[struct sk_buff *P] = __is_own_sent[P] && __transport[__sent_header[P]] == 17;
inline int __is_ip_received[struct sk_buff *P] = __is_ip[P] && !__is_for_others[P] && !__is_bridged[P];
/* A router forwards packets for this machine (PACKET_HOST, 0) that did not come from the loopback device (8) and are for
   none of its addresses. Forwarding is the first of a device's settings for IPv4, and a setting of the namespace for
   IPv6. */
inline int __is_router[struct sk_buff *P] = P->protocol == 0x0008 ?
    P->dev->ip_ptr != NULL && P->dev->ip_ptr->cnf.data[0] != 0 :
    (P->dev->nd_net.net->ipv6.devconf_all->forwarding ?? 0) != 0;
inline int __is_delivered[struct sk_buff *P] = __is_ip_received[P] && (P->pkt_type != 0 || (P->dev->flags & 8) != 0 ||
    !__is_router[P] || __is_local_address((uintptr_t)P->dev->nd_net.net, __received_header[P]));
inline int __is_tcp_received[struct sk_buff *P] = __is_delivered[P] && __transport[__received_header[P]] == 6;
inline int __is_udp_received[struct sk_buff *P] = __is_delivered[P] && __transport[__received_header[P]] == 17;
inline string __source_of[struct iphdr *H] =
    __is_v6[H] ? inet_ntoa6((struct in6_addr *)&__v6[H]->saddr) : inet_ntoa((ipaddr_t *)&H->saddr);
inline string __destination_of[struct iphdr *H] =
    __is_v6[H] ? inet_ntoa6((struct in6_addr *)&__v6[H]->daddr) : inet_ntoa((ipaddr_t *)&H->daddr);

typedef struct ipinfo ipinfo_t;
struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
};
translator ipinfo_t < struct iphdr *H > {
	ip_ver = H == NULL ? 0 : *(uint8_t *)H >> 4;
	ip_plength = H == NULL ? 0 : __written_length[H] - __header_length[H];
	ip_saddr = H == NULL ? "<null>" : __source_of[H];
	ip_daddr = H == NULL ? "<null>" : __destination_of[H];
};

/* args[2] of the probes: the header at arg2 of the packet at arg0. */
struct __packet_header;
translator ipinfo_t < struct __packet_header *H > {
	ip_ver = xlate <ipinfo_t *> ((struct iphdr *)H)->ip_ver;
	ip_plength = H == NULL ? 0 : __ip_length[(struct sk_buff *)arg0, (struct iphdr *)H];
	ip_saddr = xlate <ipinfo_t *> ((struct iphdr *)H)->ip_saddr;
	ip_daddr = xlate <ipinfo_t *> ((struct iphdr *)H)->ip_daddr;
};

typedef struct ifinfo ifinfo_t;
struct ifinfo {
	string if_name;
	int8_t if_local;
	netstackid_t if_ipstack;
	uintptr_t if_addr;
};
translator ifinfo_t < struct net_device *D > {
	if_name = D == NULL ? "<null>" : stringof(D->name);
	if_local = D == NULL ? 0 : (D->flags & 8) != 0;
	if_ipstack = D == NULL ? 0 : (netstackid_t)D->nd_net.net;
	if_addr = (uintptr_t)D;
};

/* The name of a transport protocol, or its number. */
inline string __protocol_name[int number] =
    number == 1 ? "ICMP" : number == 2 ? "IGMP" : number == 4 ? "IPIP" : number == 6 ? "TCP" : number == 17 ? "UDP" :
    number == 41 ? "IPV6" : number == 47 ? "GRE" : number == 50 ? "ESP" : number == 51 ? "AH" :
    number == 58 ? "ICMPV6" : number == 89 ? "OSPF" : number == 103 ? "PIM" : number == 132 ? "SCTP" :
    number == 136 ? "UDPLITE" : lltostr(number);

typedef struct ipv4info ipv4info_t;
struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
};
translator ipv4info_t < struct iphdr *H > {
	ipv4_ver = H == NULL ? 0 : *(uint8_t *)H >> 4;
	ipv4_ihl = H == NULL ? 0 : (*(uint8_t *)H & 15) * 4;
	ipv4_tos = H == NULL ? 0 : H->tos;
	ipv4_length = H == NULL ? 0 : ntohs(H->tot_len);
	ipv4_ident = H == NULL ? 0 : ntohs(H->id);
	ipv4_flags = H == NULL ? 0 : (ntohs(H->frag_off) >> 12) & 0xe;
	ipv4_offset = H == NULL ? 0 : ntohs(H->frag_off) & 0x1fff;
	ipv4_ttl = H == NULL ? 0 : H->ttl;
	ipv4_protocol = H == NULL ? 0 : H->protocol;
	ipv4_protostr = H == NULL ? "<null>" : __protocol_name[H->protocol];
	ipv4_checksum = H == NULL ? 0 : ntohs(H->check);
	ipv4_src = H == NULL ? 0 : H->saddr;
	ipv4_dst = H == NULL ? 0 : H->daddr;
	ipv4_saddr = H == NULL ? "<null>" : inet_ntoa((ipaddr_t *)&H->saddr);
	ipv4_daddr = H == NULL ? "<null>" : inet_ntoa((ipaddr_t *)&H->daddr);
	ipv4_hdr = H;
};

typedef struct ipv6info ipv6info_t;
struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
};
inline uint32_t __first_word[struct ipv6hdr *H] = ntohl(*(uint32_t *)H);
translator ipv6info_t < struct ipv6hdr *H > {
	ipv6_ver = H == NULL ? 0 : *(uint8_t *)H >> 4;
	ipv6_tclass = H == NULL ? 0 : (__first_word[H] >> 20) & 0xff;
	ipv6_flow = H == NULL ? 0 : __first_word[H] & 0xfffff;
	ipv6_plen = H == NULL ? 0 : ntohs(H->payload_len);
	ipv6_nexthdr = H == NULL ? 0 : H->nexthdr;
	ipv6_nextstr = H == NULL ? "<null>" : __protocol_name[H->nexthdr];
	ipv6_hlim = H == NULL ? 0 : H->hop_limit;
	ipv6_src = H == NULL ? NULL : (in6_addr_t *)&H->saddr;
	ipv6_dst = H == NULL ? NULL : (in6_addr_t *)&H->daddr;
	ipv6_saddr = H == NULL ? "<null>" : inet_ntoa6((struct in6_addr *)&H->saddr);
	ipv6_daddr = H == NULL ? "<null>" : inet_ntoa6((struct in6_addr *)&H->daddr);
	ipv6_hdr = H;
};

typedef struct tcpinfo tcpinfo_t;
struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	uintptr_t tcp_hdr;
};
inline uint8_t __tcp_flags[struct tcphdr *T] = *((uint8_t *)T + 13);
translator tcpinfo_t < struct tcphdr *T > {
	tcp_sport = T == NULL ? 0 : ntohs(T->source);
	tcp_dport = T == NULL ? 0 : ntohs(T->dest);
	tcp_seq = T == NULL ? 0 : ntohl(T->seq);
	tcp_ack = T == NULL ? 0 : ntohl(T->ack_seq);
	tcp_offset = T == NULL ? 0 : (*((uint8_t *)T + 12) >> 4) * 4;
	tcp_flags = T == NULL ? 0 : __tcp_flags[T];
	tcp_window = T == NULL ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL ? 0 : ntohs(T->check);
	tcp_urgent = T == NULL ? 0 : ntohs(T->urg_ptr);
	tcp_hdr = (uintptr_t)T;
};

/* Sockets in the states 6 and 12 consist only of the part that all kinds of sockets share. The kernel's own socket for
   refusing connections is a raw socket; 1 is SOCK_STREAM. */
inline int __is_whole[struct sock *S] =
    S != NULL && S->__sk_common.skc_state != 6 && S->__sk_common.skc_state != 12 && S->sk_type == 1;
inline struct tcp_sock *__tcp_sock[struct sock *S] = (struct tcp_sock *)S;
inline struct inet_sock *__inet_sock[struct sock *S] = (struct inet_sock *)S;
inline struct inet_connection_sock *__connection[struct sock *S] = (struct inet_connection_sock *)S;
inline int __is_socket_v6[struct sock *S] = S->__sk_common.skc_family == 10;
inline uint16_t __local_port[struct sock *S] =
    __is_whole[S] && __inet_sock[S]->inet_sport != 0 ? ntohs(__inet_sock[S]->inet_sport) : S->__sk_common.skc_num;

typedef struct tcpsinfo tcpsinfo_t;
struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	int tcps_active;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int32_t tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_irs;
	uint32_t tcps_suna;
	uint32_t tcps_snxt;
	uint32_t tcps_rnxt;
	uint32_t tcps_rack;
	uint32_t tcps_swnd;
	uint32_t tcps_rwnd;
	int32_t tcps_snd_ws;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_sack_fack;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
	uint32_t tcps_rtt;
	uint32_t tcps_rtt_sd;
};
/*
 * The raw form of args[3] of the tcp probes: the address of a socket, or of a packet without a socket, with its kind in
 * the low bits: 0 a socket, 1 a socket that is about to enter the state arg6, 2 a socket that sends the packet whose IP
 * header is at arg2, 3 a packet from a driver, whose socket is arg1 if known, 4 a packet from IP.
 */
struct __tcp_end;
inline int __end_kind[struct __tcp_end *E] = (uintptr_t)E & 7;
inline int __is_socket_end[struct __tcp_end *E] = E != NULL && __end_kind[E] < 2;
inline struct sock *__end_socket[struct __tcp_end *E] = E == NULL || __end_kind[E] == 4 ? NULL :
    __end_kind[E] == 3 ? (struct sock *)arg1 : (struct sock *)((uintptr_t)E & ~7ULL);
inline struct sk_buff *__end_packet[struct __tcp_end *E] = (struct sk_buff *)((uintptr_t)E & ~7ULL);
inline struct iphdr *__end_header[struct __tcp_end *E] =
    __end_kind[E] == 3 ? __received_header[__end_packet[E]] : __sent_header[__end_packet[E]];

inline struct sk_buff *__highest_sack[struct sock *S] = __tcp_sock[S]->highest_sack;
inline uint32_t __furthest_sack[struct sock *S] = __tcp_sock[S]->sacked_out == 0 ? __tcp_sock[S]->snd_una :
    __highest_sack[S] == NULL ? __tcp_sock[S]->snd_nxt : ((struct tcp_skb_cb *)__highest_sack[S]->cb)->seq;
inline int __is_same_v6[struct sock *S] =
    S->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[0] == S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[0] &&
    S->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[1] == S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[1] &&
    S->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[2] == S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[2] &&
    S->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[3] == S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[3];
/* Addresses are in network order: 127.0.0.0/8 has its 127 in the lowest byte. */
inline int __is_local_pair[ipaddr_t from, ipaddr_t to] = from == to || ((from & 0xff) == 127 && (to & 0xff) == 127);
/* An IPv6 socket may have an IPv4 connection. Both its ends are then of the form ::ffff:a.b.c.d. */
inline int __is_mapped_v4[struct in6_addr *A] = A->in6_u.u6_addr32[0] == 0 && A->in6_u.u6_addr32[1] == 0 &&
    A->in6_u.u6_addr32[2] == 0xffff0000;
inline int __is_local[struct sock *S] =
    __is_socket_v6[S] && !__is_mapped_v4[&S->__sk_common.skc_v6_daddr] ? __is_same_v6[S] :
    __is_local_pair[S->__sk_common.skc_daddr, S->__sk_common.skc_rcv_saddr];
inline int __is_local_header[struct iphdr *H] = !__is_v6[H] ? __is_local_pair[H->saddr, H->daddr] :
    __v6[H]->saddr.in6_u.u6_addr32[0] == __v6[H]->daddr.in6_u.u6_addr32[0] &&
    __v6[H]->saddr.in6_u.u6_addr32[1] == __v6[H]->daddr.in6_u.u6_addr32[1] &&
    __v6[H]->saddr.in6_u.u6_addr32[2] == __v6[H]->daddr.in6_u.u6_addr32[2] &&
    __v6[H]->saddr.in6_u.u6_addr32[3] == __v6[H]->daddr.in6_u.u6_addr32[3];

inline uint32_t __segment_length[struct sk_buff *P, struct iphdr *H] = __ip_length[P, H] + __header_length[H] -
    (uint32_t)(__transport_header[H] - (uintptr_t)H) - (*((uint8_t *)__tcp_header[H] + 12) >> 4) * 4;
/*
 * For an active open, the kernel counts the acknowledged SYN as a byte in bytes_acked; for a passive open it does not. In
 * both cases, the number of sent bytes, with a FIN once nothing is left to send, leads back to the first sequence number
 * after the SYN. bytes_sent already includes the bytes of the segment that is being sent, `sending`, but snd_nxt does
 * not.
 */
inline uint32_t __sending[struct sock *S, struct sk_buff *P, struct iphdr *H] = !__is_whole[S] ||
    ntohl(__tcp_header[H]->seq) != __tcp_sock[S]->snd_nxt ? 0 : __segment_length[P, H];
inline uint32_t __acknowledged_from[struct sock *S] = __tcp_sock[S]->snd_una - (uint32_t)__tcp_sock[S]->bytes_acked;
inline int __is_fin_sent[struct sock *S] = (S->__sk_common.skc_state == 4 || S->__sk_common.skc_state == 5 ||
    S->__sk_common.skc_state == 9 || S->__sk_common.skc_state == 11) && __tcp_sock[S]->snd_nxt == __tcp_sock[S]->write_seq;
inline uint32_t __sent_from[struct sock *S, uint32_t sending] = __tcp_sock[S]->snd_nxt + sending -
    (uint32_t)(__tcp_sock[S]->bytes_sent - __tcp_sock[S]->bytes_retrans) - __is_fin_sent[S];
/* By socket: 1 after an active open, 2 after a passive open. For connections that are older than the tracing, the
   sequence numbers decide. */
int __openers[uintptr_t];
/* After an active open, the port is usually ephemeral (-1), or the counts of sent and acknowledged bytes agree. Local
   devices that drop packets make the counts wrong. */
inline int __has_ephemeral_port[struct sock *S] =
    __connection[S]->icsk_bind_hash != NULL && __connection[S]->icsk_bind_hash->fastreuse == -1;
inline int __guessed_opener[struct sock *S, uint32_t sending] = !__is_whole[S] || S->__sk_common.skc_state == 7 ? 0 :
    __has_ephemeral_port[S] || __sent_from[S, sending] == (uint32_t)(__acknowledged_from[S] + 1) ? 1 : 2;
inline int __opener[struct sock *S, uint32_t sending] = S->__sk_common.skc_state == 2 ? 1 :
    S->__sk_common.skc_state == 3 || S->__sk_common.skc_state == 10 || S->__sk_common.skc_state == 12 ? 2 :
    __openers[(uintptr_t)S] != 0 ? __openers[(uintptr_t)S] : __guessed_opener[S, sending];
inline int __active_value[int opened] = opened == 0 ? -1 : opened == 1;
inline int __active_open[struct sock *S, uint32_t sending] = S == NULL ? -1 : __active_value[__opener[S, sending]];
inline uint32_t __initial_sequence[struct sock *S, uint32_t sending] = !__is_whole[S] || S->__sk_common.skc_state == 10 ? 0 :
    __acknowledged_from[S] - (__opener[S, sending] == 2);
/* A socket that has received nothing yet has no sequence number of its peer. */
inline uint32_t __initial_remote_sequence[struct sock *S] = __tcp_sock[S]->rcv_nxt == 0 && __tcp_sock[S]->bytes_received == 0 ? 0 :
    __tcp_sock[S]->rcv_nxt - (uint32_t)__tcp_sock[S]->bytes_received - 1;
/* The socket of a connection, by its local and remote end. Packets from devices have no socket yet. An end is a number
   that combines address and port. IPv4 addresses of IPv6 sockets count as IPv4. */
struct sock *__sockets[uint64_t, uint64_t];
inline uint32_t __folded6[struct in6_addr *A] = A->in6_u.u6_addr32[0] ^ A->in6_u.u6_addr32[1] ^
    (A->in6_u.u6_addr32[2] == 0xffff0000 ? 0 : A->in6_u.u6_addr32[2]) ^ A->in6_u.u6_addr32[3];
inline uint64_t __end_number[uint32_t address, uint16_t port] = (uint64_t)address << 16 | port;
inline uint64_t __local_end[struct sock *S] = __end_number[__is_socket_v6[S] ?
    __folded6[&S->__sk_common.skc_v6_rcv_saddr] : S->__sk_common.skc_rcv_saddr, __local_port[S]];
inline uint64_t __remote_end[struct sock *S] = __end_number[__is_socket_v6[S] ?
    __folded6[&S->__sk_common.skc_v6_daddr] : S->__sk_common.skc_daddr, ntohs(S->__sk_common.skc_dport)];
inline uint64_t __source_end[struct iphdr *H] =
    __end_number[__is_v6[H] ? __folded6[&__v6[H]->saddr] : H->saddr, ntohs(__tcp_header[H]->source)];
inline uint64_t __destination_end[struct iphdr *H] =
    __end_number[__is_v6[H] ? __folded6[&__v6[H]->daddr] : H->daddr, ntohs(__tcp_header[H]->dest)];
inline struct sock *__socket_of_received[struct sk_buff *P] = __has_socket[P] ? P->sk :
    __sockets[__destination_end[__received_header[P]], __source_end[__received_header[P]]];

translator tcpsinfo_t < struct sock *S > {
	tcps_addr = (uintptr_t)S;
	tcps_local = S == NULL ? 0 : __is_local[S];
	tcps_active = __active_open[S, 0];
	tcps_lport = S == NULL ? 0 : __local_port[S];
	tcps_rport = S == NULL ? 0 : ntohs(S->__sk_common.skc_dport);
	tcps_laddr = S == NULL ? "<null>" : __is_socket_v6[S] ?
	    inet_ntoa6((struct in6_addr *)&S->__sk_common.skc_v6_rcv_saddr) :
	    inet_ntoa((ipaddr_t *)&S->__sk_common.skc_rcv_saddr);
	tcps_raddr = S == NULL ? "<null>" : __is_socket_v6[S] ?
	    inet_ntoa6((struct in6_addr *)&S->__sk_common.skc_v6_daddr) : inet_ntoa((ipaddr_t *)&S->__sk_common.skc_daddr);
	/* A connection request (12) counts as SYN_RECEIVED. */
	tcps_state = S == NULL ? 0 : S->__sk_common.skc_state == 12 ? 3 : S->__sk_common.skc_state;
	tcps_iss = __initial_sequence[S, 0];
	tcps_irs = __is_whole[S] ? __initial_remote_sequence[S] : 0;
	tcps_suna = __is_whole[S] ? __tcp_sock[S]->snd_una : 0;
	tcps_snxt = __is_whole[S] ? __tcp_sock[S]->snd_nxt : 0;
	tcps_rnxt = __is_whole[S] ? __tcp_sock[S]->rcv_nxt : 0;
	tcps_rack = __is_whole[S] ? __tcp_sock[S]->rcv_wup : 0;
	tcps_swnd = __is_whole[S] ? __tcp_sock[S]->snd_wnd : 0;
	tcps_rwnd = __is_whole[S] ? __tcp_sock[S]->rcv_wnd : 0;
	tcps_snd_ws = __is_whole[S] ? __tcp_sock[S]->rx_opt.snd_wscale : 0;
	tcps_rcv_ws = __is_whole[S] ? __tcp_sock[S]->rx_opt.rcv_wscale : 0;
	tcps_cwnd = __is_whole[S] ? __tcp_sock[S]->snd_cwnd : 0;
	tcps_cwnd_ssthresh = __is_whole[S] ? __tcp_sock[S]->snd_ssthresh : 0;
	tcps_sack_snxt = __is_whole[S] ? __furthest_sack[S] : 0;
	tcps_sack_fack = __is_whole[S] ? __furthest_sack[S] : 0;
	tcps_rto = __is_whole[S] ? __connection[S]->icsk_rto * 1000 / __machine_hertz : 0;
	tcps_mss = __is_whole[S] ? __tcp_sock[S]->mss_cache : 0;
	tcps_retransmit = 0;
	tcps_rtt = __is_whole[S] ? (__tcp_sock[S]->srtt_us >> 3) / 1000 : 0;
	tcps_rtt_sd = __is_whole[S] ? (__tcp_sock[S]->mdev_us >> 2) / 1000 : 0;
};

/* A retransmission: a segment with data, SYN or FIN below the next sequence number. */
inline int __is_segment_resent[struct sock *S, struct sk_buff *P, struct iphdr *H] = __is_whole[S] &&
    (__segment_length[P, H] > 0 || (__tcp_flags[__tcp_header[H]] & 3) != 0) &&
    (int32_t)(ntohl(__tcp_header[H]->seq) - __tcp_sock[S]->snd_nxt) < 0;
/* A request records the time of its first answer in microseconds; a packet records its own time. */
inline int __is_answer_resent[struct sock *S, struct sk_buff *P] =
    P->tstamp / 1000 > ((struct tcp_request_sock *)S)->snt_synack;
inline int __is_resent[struct sock *S, struct sk_buff *P, struct iphdr *H] =
    S != NULL && S->__sk_common.skc_state == 12 ? __is_answer_resent[S, P] : __is_segment_resent[S, P, H];
inline int __is_new_segment[struct sk_buff *P] = __is_tcp_sent[P] && !__is_resent[P->sk, P, __sent_header[P]];
/* The number of packets into which a device will split a large segment. */
inline uint16_t __written_segments[struct sk_buff *P] = ((struct skb_shared_info *)(P->head + P->end))->gso_segs;
inline int __segments_of[struct sk_buff *P] = __written_segments[P] == 0 ? 1 : __written_segments[P];

inline uint32_t __end_sending[struct __tcp_end *E] =
    __end_kind[E] == 2 ? __sending[__end_socket[E], (struct sk_buff *)arg0, (struct iphdr *)arg2] : 0;
translator tcpsinfo_t < struct __tcp_end *E > {
	tcps_addr = (uintptr_t)__end_socket[E];
	tcps_local = E == NULL ? 0 : __end_kind[E] == 2 ? __is_local_header[(struct iphdr *)arg2] :
	    __is_socket_end[E] ? xlate <tcpsinfo_t *> (__end_socket[E])->tcps_local : __is_local_header[__end_header[E]];
	tcps_active = __end_kind[E] == 1 && arg6 == 2 ? 1 : __end_kind[E] == 1 && (arg6 == 3 || arg6 == 10) ? 0 :
	    __active_open[__end_socket[E], __end_sending[E]];
	tcps_lport = E == NULL ? 0 : __end_kind[E] == 2 ? ntohs(__tcp_header[(struct iphdr *)arg2]->source) :
	    __is_socket_end[E] ? xlate <tcpsinfo_t *> (__end_socket[E])->tcps_lport :
	    ntohs(__tcp_header[__end_header[E]]->dest);
	tcps_rport = E == NULL ? 0 : __end_kind[E] == 2 ? ntohs(__tcp_header[(struct iphdr *)arg2]->dest) :
	    __is_socket_end[E] ? xlate <tcpsinfo_t *> (__end_socket[E])->tcps_rport :
	    ntohs(__tcp_header[__end_header[E]]->source);
	tcps_laddr = E == NULL ? "<null>" : __end_kind[E] == 2 ? __source_of[(struct iphdr *)arg2] :
	    __is_socket_end[E] ? xlate <tcpsinfo_t *> (__end_socket[E])->tcps_laddr :
	    __destination_of[__end_header[E]];
	tcps_raddr = E == NULL ? "<null>" : __end_kind[E] == 2 ? __destination_of[(struct iphdr *)arg2] :
	    __is_socket_end[E] ? xlate <tcpsinfo_t *> (__end_socket[E])->tcps_raddr :
	    __source_of[__end_header[E]];
	/* A refused connection has no socket; its state is CLOSED. */
	tcps_state = __end_kind[E] == 1 ? arg6 : __end_kind[E] == 2 && __end_socket[E] == NULL ? 7 : xlate <tcpsinfo_t *> (__end_socket[E])->tcps_state;
	tcps_iss = __initial_sequence[__end_socket[E], __end_sending[E]];
	tcps_irs = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_irs;
	tcps_suna = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_suna;
	tcps_snxt = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_snxt;
	tcps_rnxt = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_rnxt;
	tcps_rack = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_rack;
	tcps_swnd = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_swnd;
	tcps_rwnd = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_rwnd;
	tcps_snd_ws = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_snd_ws;
	tcps_rcv_ws = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_rcv_ws;
	tcps_cwnd = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_cwnd;
	tcps_cwnd_ssthresh = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_cwnd_ssthresh;
	tcps_sack_snxt = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_sack_snxt;
	tcps_sack_fack = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_sack_fack;
	tcps_rto = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_rto;
	tcps_mss = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_mss;
	tcps_retransmit = __end_kind[E] == 2 ? __is_resent[__end_socket[E], (struct sk_buff *)arg0, (struct iphdr *)arg2] : 0;
	tcps_rtt = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_rtt;
	tcps_rtt_sd = xlate <tcpsinfo_t *> (__end_socket[E])->tcps_rtt_sd;
};

typedef struct tcplsinfo tcplsinfo_t;
struct tcplsinfo {
	int32_t tcps_state;
};
translator tcplsinfo_t < int old > {
	tcps_state = old;
};

typedef struct udpinfo udpinfo_t;
struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
};
translator udpinfo_t < struct udphdr *U > {
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = U;
};

typedef struct udpsinfo udpsinfo_t;
struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
};
translator udpsinfo_t < struct sock *S > {
	udps_addr = (uintptr_t)S;
	udps_lport = S == NULL ? 0 : S->__sk_common.skc_num;
	udps_rport = S == NULL ? 0 : ntohs(S->__sk_common.skc_dport);
	udps_laddr = S == NULL ? "<null>" : __is_socket_v6[S] ?
	    inet_ntoa6((struct in6_addr *)&S->__sk_common.skc_v6_rcv_saddr) :
	    inet_ntoa((ipaddr_t *)&S->__sk_common.skc_rcv_saddr);
	udps_raddr = S == NULL ? "<null>" : __is_socket_v6[S] ?
	    inet_ntoa6((struct in6_addr *)&S->__sk_common.skc_v6_daddr) : inet_ntoa((ipaddr_t *)&S->__sk_common.skc_daddr);
};

/* The ends of a datagram, whose socket may be unconnected: the address of the packet, with 1 in the lowest bit if it is
   incoming. */
struct __udp_end;
inline int __is_incoming[struct __udp_end *E] = (uintptr_t)E & 1;
inline struct sk_buff *__udp_packet[struct __udp_end *E] = (struct sk_buff *)((uintptr_t)E & ~7ULL);
inline struct iphdr *__udp_ip[struct __udp_end *E] =
    __is_incoming[E] ? __received_header[__udp_packet[E]] : __sent_header[__udp_packet[E]];
translator udpsinfo_t < struct __udp_end *E > {
	udps_addr = (uintptr_t)__udp_packet[E]->sk;
	udps_lport = ntohs(__is_incoming[E] ? __udp_header[__udp_ip[E]]->dest : __udp_header[__udp_ip[E]]->source);
	udps_rport = ntohs(__is_incoming[E] ? __udp_header[__udp_ip[E]]->source : __udp_header[__udp_ip[E]]->dest);
	udps_laddr = __is_incoming[E] ? __destination_of[__udp_ip[E]] : __source_of[__udp_ip[E]];
	udps_raddr = __is_incoming[E] ? __source_of[__udp_ip[E]] : __destination_of[__udp_ip[E]];
};

/*
 * By CPU: the last incoming packet. A state change of a socket during the processing of that packet is its effect if the
 * ports match. A socket that a process is using handles its packets later.
 */
struct sk_buff *__arrived[int];
inline struct tcphdr *__arrived_tcp = __tcp_header[__sent_header[__arrived[cpu]]];
inline int __has_arrived[struct sock *S] = __arrived[cpu] != NULL && __is_ip[__arrived[cpu]] &&
    __arrived_tcp->source == S->__sk_common.skc_dport && ntohs(__arrived_tcp->dest) == S->__sk_common.skc_num;
inline struct sk_buff *__packet_for[struct sock *S] = __has_arrived[S] ? __arrived[cpu] : NULL;
inline struct iphdr *__header_for[struct sock *S] = __has_arrived[S] ? __sent_header[__arrived[cpu]] : NULL;
inline struct tcphdr *__segment_for[struct sock *S] = __has_arrived[S] ? __arrived_tcp : NULL;
