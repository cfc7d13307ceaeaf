# Datagrams that reach a socket, and datagrams to a closed port.
for what in 'udp 3' 'closed 2'; do
  dscope -qn 'mib:::udpInDatagrams, mib:::udpOutDatagrams { @[probename] = sum(args[0]); } END { printa("%s %@d\n", @); }' \
    -c "sockets $what" 2>&1
done
