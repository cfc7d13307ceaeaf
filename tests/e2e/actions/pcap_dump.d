/* @@options: -x pcapsize=24
 * @@command: %T/calls send 0123456789 1
 * Without a file of freopen() packets are shown as bytes: here up to the addresses, less what differs each time. */
#pragma D option quiet

rawtp:::netif_receive_skb
/args[0]->len == 38 && !seen/
{
	seen = 1;
	printf("packet");
	pcap(NULL, PCAP_IP);
	printf(" of %d\n", args[0]->len);
}
