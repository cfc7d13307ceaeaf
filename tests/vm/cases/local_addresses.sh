# Destinations that the routing tables list as single addresses of this machine: 127.77.7.7 is only within a network.
dscope -qn 'ip:::send /args[3]->if_name == "lo"/ {
    @[args[2]->ip_daddr, __is_local_address((uintptr_t)args[3]->if_ipstack, (struct iphdr *)arg2)] = max(1); }
  END { printa("%s %d\n", @); }' -c 'sockets refused6' -c 'sockets udp' -c 'ping -q -c 1 127.0.0.1' 2>&1 | grep ' [01]$' | sort
