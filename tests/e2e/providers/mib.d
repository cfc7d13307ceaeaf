/* Network counters, fired by the events that increment them.
 @@command: %T/sockets tcp */
#pragma D option quiet

mib:::tcpActiveOpens, mib:::tcpPassiveOpens /pid == $target/ { @[probename] = sum(args[0]); }
mib:::tcpOutSegs /pid == $target/ { segments++; }
mib:::ipOutRequests /pid == $target/ { sent++; }
mib:::ipInReceives /pid == $target/ { received++; }
mib:::udpNoPorts, mib:::tcpInErrs, mib:::icmpInEchos /pid == $target/ { never++; }
END { printa("%s %@d\n", @); printf("%d %d %d\n", segments >= 6, never, sent >= segments && received >= segments); }
