# Refused connections, and resets that no socket sends, by IPv4 and by IPv6.
dscope -qn 'int resets; tcp:::accept-refused { printf("%s %s %d\n", args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_dport); }
  mib:::tcpOutRsts { resets += args[0]; } END { printf("%d\n", resets); }' -c 'sockets refused' 2>&1
dscope -qn 'tcp:::accept-refused { printf("%s %s %d\n", args[2]->ip_saddr, args[2]->ip_daddr, args[4]->tcp_dport); }' -c 'sockets refused6' 2>&1
