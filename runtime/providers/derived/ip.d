// IP packets that are queued for a device or received from one (providers.md 13).

provider ip {
  probe receive, send(
    struct sk_buff * : pktinfo_t *, struct sock * : csinfo_t *, struct __packet_header * : ipinfo_t *,
    struct net_device * : ifinfo_t *, struct iphdr * : ipv4info_t *, struct ipv6hdr * : ipv6info_t *);
};

ip:::send <- rawtp:::net_dev_queue [parameters 1..]
/__is_ip_sent[args[0]]/
{
  args[0];
  args[0]->sk;
  (struct __packet_header *)__sent_header[args[0]];
  args[0]->dev;
  __is_v6[__sent_header[args[0]]] ? NULL : __sent_header[args[0]];
  __is_v6[__sent_header[args[0]]] ? __v6[__sent_header[args[0]]] : NULL;
}

ip:::receive <- rawtp:::netif_receive_skb [parameters 1..]
/__is_ip_received[args[0]]/
{
  args[0];
  args[0]->sk;
  (struct __packet_header *)__received_header[args[0]];
  args[0]->dev;
  __is_v6[__received_header[args[0]]] ? NULL : __received_header[args[0]];
  __is_v6[__received_header[args[0]]] ? __v6[__received_header[args[0]]] : NULL;
}
