/* @@options: -w
 * @@command: %T/calls send 01234567890123456789012345678901234567890123456789 2
 * pcap() writes a file that tcpdump reads: file header, packet headers, link type and the packets. Text that would
 * corrupt the file is omitted. NULL writes no packet. */
BEGIN { freopen("/tmp/dscope-pcap-%d", $pid); pcap(NULL, PCAP_IP); }

rawtp:::netif_receive_skb
/args[0]->len == 78/
{
	pcap(args[0], PCAP_IP);
}

END
{
	freopen("");
	system("f=/tmp/dscope-pcap-%d; wc -c < $f; od -A n -t x1 -N 24 $f; tail -c 50 $f; echo", $pid);
	system("od -A n -t x1 -j 32 -N 12 /tmp/dscope-pcap-%d; rm /tmp/dscope-pcap-%d", $pid, $pid);
}
