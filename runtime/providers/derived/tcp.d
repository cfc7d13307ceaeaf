// TCP segments and connections (providers.md 13). frontend/library/netinfo.d describes struct __tcp_end.

provider tcp {
  probe accept-established, accept-refused, connect-established, connect-refused, connect-request, receive, send(
    struct sk_buff * : pktinfo_t *, struct sock * : csinfo_t *, struct __packet_header * : ipinfo_t *,
    struct __tcp_end * : tcpsinfo_t *, struct tcphdr * : tcpinfo_t *);
  probe state-change(
    void *, struct sock * : csinfo_t *, void *, struct __tcp_end * : tcpsinfo_t *, void *, int : tcplsinfo_t *);
};

// ---- what the probes remember

// Which end opened the connection.
prepare tcp:::* <- rawtp:::inet_sock_set_state
/args[0]->sk_protocol == 6 && (args[2] == 2 || args[2] == 3 || args[2] == 7)/
{ __openers[(uintptr_t)args[0]] = args[2] == 7 ? 0 : args[2] == 2 ? 1 : 2; }

// Sockets by the two ends of their connection: when it is established or closed, and when the socket sends.
prepare tcp:::receive <- rawtp:::inet_sock_set_state
/args[0]->sk_protocol == 6 && (args[2] == 1 || args[2] == 7)/
{
  __sockets[__local_end[(struct sock *)args[0]], __remote_end[(struct sock *)args[0]]] =
    args[2] == 1 ? (struct sock *)args[0] : (struct sock *)NULL;
}

prepare tcp:::receive <- rawtp:::net_dev_queue
/__is_tcp_sent[args[0]] && __is_whole[args[0]->sk] &&
  __sockets[__source_end[__sent_header[args[0]]], __destination_end[__sent_header[args[0]]]] != args[0]->sk/
{
  __sockets[__source_end[__sent_header[args[0]]], __destination_end[__sent_header[args[0]]]] = args[0]->sk;
  __openers[(uintptr_t)args[0]->sk] =
    __opener[args[0]->sk, __sending[args[0]->sk, args[0], __sent_header[args[0]]]];
}

prepare tcp:::connect-established, tcp:::accept-established, tcp:::connect-refused <- rawtp:::netif_receive_skb
{ __arrived[cpu] = args[0]; }

// ---- segments

tcp:::send <- rawtp:::net_dev_queue [parameters 1.., order 2]
/__is_tcp_sent[args[0]]/
{
  args[0];
  args[0]->sk;
  (struct __packet_header *)__sent_header[args[0]];
  args[0]->sk, (struct __tcp_end *)((uintptr_t)args[0]->sk | 2);
  __tcp_header[__sent_header[args[0]]];
}

tcp:::receive <- rawtp:::netif_receive_skb [parameters 1.., order 2]
/__is_tcp_received[args[0]]/
{
  args[0];
  __socket_of_received[args[0]];
  (struct __packet_header *)__received_header[args[0]];
  __socket_of_received[args[0]], (struct __tcp_end *)((uintptr_t)args[0] | 3);
  __tcp_header[__received_header[args[0]]];
}

// SYN without ACK.
tcp:::connect-request <- rawtp:::net_dev_queue [parameters 1.., order 3]
/__is_new_segment[args[0]] && (__tcp_flags[__tcp_header[__sent_header[args[0]]]] & 0x12) == 2/
{
  args[0];
  args[0]->sk;
  (struct __packet_header *)__sent_header[args[0]];
  args[0]->sk, (struct __tcp_end *)((uintptr_t)args[0]->sk | 2);
  __tcp_header[__sent_header[args[0]]];
}

// ---- connections: the socket, and the packet that changed its state

tcp:::connect-established <- rawtp:::inet_sock_set_state [parameters 3.., order 2]
/args[0]->sk_protocol == 6 && args[1] == 2 && args[2] == 1/
{
  __packet_for[args[0]];
  args[0];
  (struct __packet_header *)__header_for[args[0]];
  (struct __tcp_end *)args[0];
  __segment_for[args[0]];
}

tcp:::accept-established <- rawtp:::inet_sock_set_state [parameters 3.., order 2]
/args[0]->sk_protocol == 6 && args[1] == 3 && args[2] == 1/
{
  __packet_for[args[0]];
  args[0];
  (struct __packet_header *)__header_for[args[0]];
  (struct __tcp_end *)args[0];
  __segment_for[args[0]];
}

tcp:::connect-refused <- rawtp:::tcp_receive_reset [parameters 1..]
/args[0]->__sk_common.skc_state == 2/
{
  __packet_for[(struct sock *)args[0]];
  (struct sock *)args[0];
  (struct __packet_header *)__header_for[(struct sock *)args[0]];
  (struct __tcp_end *)(struct sock *)args[0];
  __segment_for[(struct sock *)args[0]];
}

// There is no socket, and the packet is the refused one. Before Linux 6.10 the tracepoint fires only for resets that a
// socket sends.
tcp:::accept-refused
  <- rawtp:::tcp_send_reset [parameters 3..],
    otherwise fbt::tcp_v4_send_reset:entry [parameters 2],
    otherwise fbt::tcp_v6_send_reset:entry [parameters 2]
/args[0] == NULL && args[1] != NULL &&
  (__tcp_flags[__tcp_header[__sent_header[(struct sk_buff *)args[1]]]] & 0x12) == 2/
{
  (struct sk_buff *)args[1];
  (struct sock *)args[0];
  (struct __packet_header *)__sent_header[(struct sk_buff *)args[1]];
  args[0], (struct __tcp_end *)((uintptr_t)args[1] | 4);
  __tcp_header[__sent_header[(struct sk_buff *)args[1]]];
}

// The socket still has the old state; arg6 is the new one. close() after shutdown() sets the same state again.
tcp:::state-change <- rawtp:::inet_sock_set_state [parameters 3..]
/args[0]->sk_protocol == 6 && args[1] != args[2]/
{
  (void *)NULL;
  (struct sock *)args[0];
  (void *)NULL;
  args[0], (struct __tcp_end *)((uintptr_t)args[0] | 1);
  (void *)NULL;
  (int)args[1];
  args[2];
}

// A small socket replaces the full one in TIME_WAIT. The full one goes on to CLOSE, which fires the probe again.
tcp:::state-change <- fbt::tcp_time_wait:entry [parameters 2..]
/args[1] == 6/
{
  (void *)NULL;
  (struct sock *)args[0];
  (void *)NULL;
  args[0], (struct __tcp_end *)((uintptr_t)args[0] | 1);
  (void *)NULL;
  (int)args[0]->__sk_common.skc_state;
  args[1];
}
