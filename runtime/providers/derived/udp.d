// UDP datagrams (providers.md 13).

provider udp {
  probe receive, send(
    struct sk_buff * : pktinfo_t *, struct sock * : csinfo_t *, struct __packet_header * : ipinfo_t *,
    struct __udp_end * : udpsinfo_t *, struct udphdr * : udpinfo_t *);
};

udp:::send <- rawtp:::net_dev_queue [parameters 1.., order 2]
/__is_udp_sent[args[0]]/
{
  args[0];
  args[0]->sk;
  (struct __packet_header *)__sent_header[args[0]];
  args[0]->sk, (struct __udp_end *)args[0];
  __udp_header[__sent_header[args[0]]];
}

udp:::receive <- rawtp:::netif_receive_skb [parameters 1.., order 2]
/__is_udp_received[args[0]]/
{
  args[0];
  args[0]->sk;
  (struct __packet_header *)__received_header[args[0]];
  args[0]->sk, (struct __udp_end *)((uintptr_t)args[0] | 1);
  __udp_header[__received_header[args[0]]];
}
