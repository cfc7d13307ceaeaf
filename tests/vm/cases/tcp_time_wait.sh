# A state change that only a kernel function reveals.
dscope -qn 'tcp:::state-change /args[3]->tcps_state == TCP_STATE_TIME_WAIT/ { printf("%s\n", tcp_state_string[args[5]->tcps_state]); exit(0); }' \
  -c 'sockets tcp' 2>&1 | tail -n 2
