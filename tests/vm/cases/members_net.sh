# Reads every member that the D library gives to packets and sockets: names of the structures, and no fault.
dscope -qs /vm/members_net.d -c 'sh /vm/exchanges' 2>&1 | grep -o '([a-z0-9_]*) {\|error.*' | sort -u
