# The same of packets and sockets.
dscope -qs /vm/members_net.d -c 'sh /vm/exchanges' 2>&1 | grep -o '([a-z0-9_]*) {\|error.*' | sort -u
