/* pcap() accepts any address as a packet. */
BEGIN
{
	pcap(curthread, 12);
	pcap(NULL, 1);
	pcap((void *)arg0, pid);
}
