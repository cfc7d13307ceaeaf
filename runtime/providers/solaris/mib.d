// Network statistics by names that only Solaris has. arg0 is the amount by which the statistic grows.

provider mib {
  probe tcpOutDataBytes, tcpOutDataSegs, tcpInDataInorderBytes, tcpInInorderBytes, tcpInDataInorderSegs,
    tcpInInorderSegs, tcpRetransBytes(int increment);
  // Nothing on Linux fires these.
  probe tcpHalfOpenDrop, tcpListenDrop, tcpListenDropQ0, tcpTimRetrans, tcpTimRetransDrop, tcpTimKeepalive,
    tcpTimKeepaliveDrop, tcpTimKeepaliveProbe, tcpOutAck, tcpOutAckDelayed, tcpOutControl, tcpOutFastRetrans, tcpOutUrg,
    tcpOutWinProbe, tcpOutWinUpdate, tcpOutSackRetrans, tcpInAckBytes, tcpInAckSegs, tcpInAckUnsent, tcpInDupAck,
    tcpInClosed, tcpInDataDupBytes, tcpInDataDupSegs, tcpInDataPartDupBytes, tcpInDataPartDupSegs,
    tcpInDataPastWinBytes, tcpInDataPastWinSegs, tcpInDataUnorderBytes, tcpInDataUnorderSegs, tcpInWinProbe,
    tcpInWinUpdate, tcpRttNoUpdate, tcpRttUpdate(int increment);
  probe ipForwProhibits, ipFragCreates, ipFragFails, ipFragOKs, ipInAddrErrors, ipInIPv6, ipInUnknownProtos,
    ipOutDiscards, ipOutIPv6, ipOutSwitchIPv6, ipReasmDuplicates, ipReasmFails, ipReasmOKs, ipReasmPartDups,
    ipReasmReqds, ipRoutingDiscards, ipv6Forwards, rawipInOverflows, udpInErrors, rawipInDatagrams, rawipInErrors,
    rawipInCksumErrs, rawipOutDatagrams, rawipOutErrors(int increment);
  probe icmpInAddrMaskReps, icmpInAddrMasks, icmpInBadRedirects, icmpInCksumErrs, icmpInErrors, icmpInFragNeeded,
    icmpInOverflows, icmpInParmProbs, icmpInRedirects, icmpInSrcQuenchs, icmpInTimestampReps, icmpInTimestamps,
    icmpInUnknowns, icmpOutAddrMaskReps, icmpOutAddrMasks, icmpOutDrops, icmpOutErrors, icmpOutFragNeeded,
    icmpOutParmProbs, icmpOutRedirects, icmpOutSrcQuenchs, icmpOutTimestampReps, icmpOutTimestamps(int increment);
  // Later names of statistics that Linux has.
  probe ipIfStatsHCInReceives, ipIfStatsInReceives, ipIfStatsHCOutRequests, ipIfStatsOutRequests,
    ipIfStatsHCInDelivers, ipIfStatsHCInForwDatagrams, ipIfStatsHCOutForwDatagrams, tcpHCInSegs, tcpHCOutSegs,
    udpHCInDatagrams, udpHCOutDatagrams, udpIfStatsNoPorts, tcpIfStatsInErrs, udpIfStatsInCksumErrs,
    udpIfStatsInErrors, udpIfStatsInOverflows, ipIfStatsInHdrErrors, ipIfStatsInCksumErrs, ipIfStatsInDiscards,
    ipIfStatsOutNoRoutes(int increment);
  // Nothing on Linux fires these.
  probe ipIfStatsForwProhibits, ipIfStatsHCInMcastPkts, ipIfStatsHCInOctets, ipIfStatsHCOutMcastPkts,
    ipIfStatsHCOutOctets, ipIfStatsHCOutTransmits, ipIfStatsInAddrErrors, ipIfStatsInNoRoutes, ipIfStatsInTooBigErrors,
    ipIfStatsInTruncatedPkts, ipIfStatsInUnknownProtos, ipIfStatsInWrongIPVersion, ipIfStatsOutDiscards,
    ipIfStatsOutFragCreates, ipIfStatsOutFragFails, ipIfStatsOutFragOKs, ipIfStatsOutFragReqds,
    ipIfStatsOutWrongIPVersion, ipIfStatsReasmDuplicates, ipIfStatsReasmFails, ipIfStatsReasmOKs,
    ipIfStatsReasmPartDups, ipIfStatsReasmReqds, rawipIfStatsInErrors(int increment);
};

// Bytes after the headers. Repeated data and data out of order count as data in order.
mib:::tcpOutDataBytes <- rawtp:::net_dev_queue
/__is_new_segment[args[0]] && __segment_length[args[0], __sent_header[args[0]]] != 0/
{ (int)__segment_length[args[0], __sent_header[args[0]]]; }

mib:::tcpOutDataSegs <- rawtp:::net_dev_queue
/__is_new_segment[args[0]] && __segment_length[args[0], __sent_header[args[0]]] != 0/
{ __segments_of[args[0]]; }

mib:::tcpInDataInorderBytes, mib:::tcpInInorderBytes <- rawtp:::netif_receive_skb
/__is_tcp_received[args[0]] && __segment_length[args[0], __received_header[args[0]]] != 0/
{ (int)__segment_length[args[0], __received_header[args[0]]]; }

mib:::tcpInDataInorderSegs, mib:::tcpInInorderSegs <- rawtp:::netif_receive_skb
/__is_tcp_received[args[0]] && __segment_length[args[0], __received_header[args[0]]] != 0/
{ 1; }

mib:::tcpRetransBytes <- rawtp:::tcp_retransmit_skb
{ (int)args[1]->len; }

// Later names of statistics that Linux has.
mib:::ipIfStatsHCInReceives, mib:::ipIfStatsInReceives <- rawtp:::netif_receive_skb
/__is_ip_received[args[0]]/
{ 1; }

mib:::ipIfStatsHCOutRequests, mib:::ipIfStatsOutRequests <- rawtp:::net_dev_queue
/__is_own_sent[args[0]]/
{ 1; }

mib:::ipIfStatsHCInDelivers <- rawtp:::netif_receive_skb
/__is_delivered[args[0]]/
{ 1; }

mib:::ipIfStatsHCInForwDatagrams, mib:::ipIfStatsHCOutForwDatagrams <- rawtp:::net_dev_queue
/__is_forwarded[args[0]]/
{ 1; }

mib:::tcpHCInSegs <- rawtp:::netif_receive_skb
/__is_tcp_received[args[0]]/
{ 1; }

mib:::tcpHCOutSegs <- rawtp:::net_dev_queue
/__is_new_segment[args[0]]/
{ __segments_of[args[0]]; }

mib:::udpHCInDatagrams <- rawtp:::netif_receive_skb
/__is_udp_received[args[0]]/
{ 1; }

mib:::udpHCOutDatagrams <- rawtp:::net_dev_queue
/__is_udp_sent[args[0]]/
{ 1; }

mib:::udpIfStatsNoPorts <- rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_NO_SOCKET && __is_ip[args[0]] && __transport[__sent_header[args[0]]] == 17/
{ 1; }

mib:::tcpIfStatsInErrs <- rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_TCP_CSUM/
{ 1; }

mib:::udpIfStatsInCksumErrs <- rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_UDP_CSUM/
{ 1; }

mib:::udpIfStatsInErrors <- rawtp:::udp_fail_queue_rcv_skb
{ 1; }

mib:::udpIfStatsInOverflows <- rawtp:::udp_fail_queue_rcv_skb
/args[0] == -12/
{ 1; }

mib:::ipIfStatsInHdrErrors <- rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_IP_INHDR/
{ 1; }

mib:::ipIfStatsInCksumErrs <- rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_IP_CSUM/
{ 1; }

mib:::ipIfStatsInDiscards <- rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_NETFILTER_DROP/
{ 1; }

mib:::ipIfStatsOutNoRoutes <- rawtp:::kfree_skb
/args[2] == SKB_DROP_REASON_IP_OUTNOROUTES/
{ 1; }
