/* @@options: -w
 * @@command: %T/calls send 01234567890123456789012345678901234567890123456789 2
 * Packets start with the header of the given protocol, for received and for sent packets. */
#pragma D option quiet

BEGIN { freopen("/tmp/dscope-pcap-sent-%d", $pid); }
ip:::send, ip:::receive
/args[2]->ip_plength == 58/
{
	pcap((void *)arg0, PCAP_IP);
}
END
{
	freopen("");
	system("f=/tmp/dscope-pcap-sent-%d; for i in 0 1 2 3; do od -A n -t x1 -j $((24 + i * 94 + 8)) -N 12 $f; done", $pid);
	system("rm /tmp/dscope-pcap-sent-%d", $pid);
}
