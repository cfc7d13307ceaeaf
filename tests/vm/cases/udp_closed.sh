# Datagrams that sockets get, and what comes to a port where nobody is.
for what in 'udp 3' 'closed 2'; do
  dscope -qn 'mib:::udpInDatagrams, mib:::udpOutDatagrams { @[probename] = sum(args[0]); } END { printa("%s %@d\n", @); }' \
    -c "sockets $what" 2>&1
done
