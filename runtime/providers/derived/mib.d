// Network statistics (providers.md 13.5). arg0 is the amount by which the statistic grows.

provider mib {
  probe icmpInDestUnreachs, icmpInEchoReps, icmpInEchos, icmpInMsgs, icmpInTimeExcds, icmpOutDestUnreachs,
    icmpOutEchoReps, icmpOutEchos, icmpOutMsgs, icmpOutTimeExcds, ipForwDatagrams, ipInCksumErrs, ipInDelivers,
    ipInDiscards, ipInHdrErrors, ipInReceives, ipOutNoRoutes, ipOutRequests, tcpActiveOpens, tcpAttemptFails,
    tcpEstabResets, tcpInErrs, tcpInSegs, tcpOutRsts, tcpOutSegs, tcpPassiveOpens, tcpRetransSegs, udpInCksumErrs,
    udpInDatagrams, udpInErrors, udpInOverflows, udpNoPorts, udpOutDatagrams(int increment);
};

// ---- TCP connections

mib:::tcpActiveOpens <- rawtp:::inet_sock_set_state [parameters 3..]
/args[0]->sk_protocol == 6 && (args[1] == 7 && args[2] == 2)/
{ 1; }

mib:::tcpPassiveOpens <- rawtp:::inet_sock_set_state [parameters 3..]
/args[0]->sk_protocol == 6 && (args[1] == 10 && args[2] == 3)/
{ 1; }

mib:::tcpAttemptFails <- rawtp:::inet_sock_set_state [parameters 3..]
/args[0]->sk_protocol == 6 && ((args[1] == 2 || args[1] == 3) && args[2] == 7)/
{ 1; }

// Either end may reset the connection.
mib:::tcpEstabResets <- rawtp:::inet_sock_set_state [parameters 3..]
/args[0]->sk_protocol == 6 && ((args[1] == 1 || args[1] == 8) && args[2] == 7)/
{ 1; }

// ---- TCP segments

mib:::tcpRetransSegs <- rawtp:::tcp_retransmit_skb [parameters 2..]
{ (int)(__segments_of[(struct sk_buff *)args[1]]); }

mib:::tcpRetransSegs <- rawtp:::tcp_retransmit_synack [parameters 2..]
{ 1; }

mib:::tcpOutRsts <- rawtp:::tcp_send_reset [parameters 2..]
{ 1; }

// Before Linux 6.10 the tracepoint does not fire for resets that no socket sends. Nobody answers a reset (4).
mib:::tcpOutRsts <- fbt::tcp_v4_send_reset:entry [parameters 2], fbt::tcp_v6_send_reset:entry [parameters 2]
/args[0] == NULL && (__tcp_flags[__tcp_header[__sent_header[args[1]]]] & 4) == 0/
{ 1; }

// RFC 1213: without retransmissions, and as many segments as the other end will receive.
mib:::tcpOutSegs <- rawtp:::net_dev_queue [parameters 1..]
/__is_new_segment[args[0]]/
{ (int)(__segments_of[args[0]]); }

mib:::tcpInSegs <- rawtp:::netif_receive_skb [parameters 1..]
/__is_tcp_received[args[0]]/
{ 1; }

// ---- IP

mib:::ipInReceives <- rawtp:::netif_receive_skb [parameters 1..]
/__is_ip_received[args[0]]/
{ 1; }

mib:::ipInDelivers <- rawtp:::netif_receive_skb [parameters 1..]
/__is_delivered[args[0]]/
{ 1; }

mib:::ipForwDatagrams <- rawtp:::net_dev_queue [parameters 1..]
/__is_forwarded[args[0]]/
{ 1; }

mib:::ipOutRequests <- rawtp:::net_dev_queue [parameters 1..]
/__is_own_sent[args[0]]/
{ 1; }

// ---- UDP

mib:::udpOutDatagrams <- rawtp:::net_dev_queue [parameters 1..]
/__is_udp_sent[args[0]]/
{ 1; }

// RFC 1213: the datagrams that sockets receive. The tracepoint is there from Linux 6.2 on.
mib:::udpInDatagrams <- rawtp:::sk_data_ready [parameters 1..]
/args[0]->sk_protocol == 17/
{ 1; }

mib:::udpInDatagrams <- otherwise fbt::__udp_enqueue_schedule_skb:return
/args[1] == 0/
{ 1; }

mib:::udpInErrors <- rawtp:::udp_fail_queue_rcv_skb [parameters 2..]
{ 1; }

// -12 is -ENOMEM.
mib:::udpInOverflows <- rawtp:::udp_fail_queue_rcv_skb [parameters 2..]
/args[0] == -12/
{ 1; }

// ---- ICMP: each type, and the type of ICMPv6 with the same meaning

mib:::icmpInMsgs <- rawtp:::netif_receive_skb [parameters 1..]
/__is_delivered[args[0]] && __is_icmp[__received_header[args[0]]]/
{ 1; }

mib:::icmpOutMsgs <- rawtp:::net_dev_queue [parameters 1..]
/__is_own_sent[args[0]] && __is_icmp[__sent_header[args[0]]]/
{ 1; }

mib:::icmpInEchos <- rawtp:::netif_receive_skb [parameters 1..]
/__is_delivered[args[0]] && __is_icmp[__received_header[args[0]]] && __is_icmp_type[__received_header[args[0]], 8, 128]/
{ 1; }

mib:::icmpOutEchos <- rawtp:::net_dev_queue [parameters 1..]
/__is_own_sent[args[0]] && __is_icmp[__sent_header[args[0]]] && __is_icmp_type[__sent_header[args[0]], 8, 128]/
{ 1; }

mib:::icmpInEchoReps <- rawtp:::netif_receive_skb [parameters 1..]
/__is_delivered[args[0]] && __is_icmp[__received_header[args[0]]] && __is_icmp_type[__received_header[args[0]], 0, 129]/
{ 1; }

mib:::icmpOutEchoReps <- rawtp:::net_dev_queue [parameters 1..]
/__is_own_sent[args[0]] && __is_icmp[__sent_header[args[0]]] && __is_icmp_type[__sent_header[args[0]], 0, 129]/
{ 1; }

mib:::icmpInDestUnreachs <- rawtp:::netif_receive_skb [parameters 1..]
/__is_delivered[args[0]] && __is_icmp[__received_header[args[0]]] && __is_icmp_type[__received_header[args[0]], 3, 1]/
{ 1; }

mib:::icmpOutDestUnreachs <- rawtp:::net_dev_queue [parameters 1..]
/__is_own_sent[args[0]] && __is_icmp[__sent_header[args[0]]] && __is_icmp_type[__sent_header[args[0]], 3, 1]/
{ 1; }

mib:::icmpInTimeExcds <- rawtp:::netif_receive_skb [parameters 1..]
/__is_delivered[args[0]] && __is_icmp[__received_header[args[0]]] && __is_icmp_type[__received_header[args[0]], 11, 3]/
{ 1; }

mib:::icmpOutTimeExcds <- rawtp:::net_dev_queue [parameters 1..]
/__is_own_sent[args[0]] && __is_icmp[__sent_header[args[0]]] && __is_icmp_type[__sent_header[args[0]], 11, 3]/
{ 1; }

// ---- dropped packets: the numbers of the reasons differ between kernels, their names do not

mib:::udpNoPorts <- rawtp:::kfree_skb [parameters 3..]
/args[2] == SKB_DROP_REASON_NO_SOCKET && __is_ip[args[0]] && __transport[__sent_header[args[0]]] == 17/
{ 1; }

mib:::tcpInErrs <- rawtp:::kfree_skb [parameters 3..]
/args[2] == SKB_DROP_REASON_TCP_CSUM/
{ 1; }

mib:::udpInCksumErrs <- rawtp:::kfree_skb [parameters 3..]
/args[2] == SKB_DROP_REASON_UDP_CSUM/
{ 1; }

mib:::ipInHdrErrors <- rawtp:::kfree_skb [parameters 3..]
/args[2] == SKB_DROP_REASON_IP_INHDR/
{ 1; }

mib:::ipInCksumErrs <- rawtp:::kfree_skb [parameters 3..]
/args[2] == SKB_DROP_REASON_IP_CSUM/
{ 1; }

mib:::ipInDiscards <- rawtp:::kfree_skb [parameters 3..]
/args[2] == SKB_DROP_REASON_NETFILTER_DROP/
{ 1; }

mib:::ipOutNoRoutes <- rawtp:::kfree_skb [parameters 3..]
/args[2] == SKB_DROP_REASON_IP_OUTNOROUTES/
{ 1; }
