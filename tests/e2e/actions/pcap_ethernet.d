/* @@options: -w
 * @@command: %T/calls send 01234567890123456789012345678901234567890123456789 2
 * With the link header, for received and for sent packets. */
#pragma D option quiet

BEGIN { freopen("/tmp/dscope-pcap-ethernet-%d", $pid); }
ip:::send, ip:::receive /args[2]->ip_plength == 58/ { pcap((void *)arg0, PCAP_ETHER); }
END
{
	freopen("");
	system("f=/tmp/dscope-pcap-ethernet-%d; for i in 0 1 2 3; do od -A n -t x1 -j $((24 + i * 108 + 8)) -N 26 $f; done", $pid);
	system("rm /tmp/dscope-pcap-ethernet-%d", $pid);
}
