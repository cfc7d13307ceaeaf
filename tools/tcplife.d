#!/usr/bin/env -S dscope -s
/* How long did TCP connections live, and how much did they carry?
 *
 * One row for each connection that ends. PID and PROGRAM are those that opened it, or that ran when it was accepted.
 */
#pragma D arg -T -d
#pragma D arg -n "only connections of this program"
#pragma D arg --port PORT "only connections with this local or remote port"
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  printf("%7s %-16s %-45s %-45s %10s %10s %10s\n", "PID", "PROGRAM", "LOCAL", "REMOTE", "SENT(B)", "RECV(B)", "MS");
}

/* The states: a client begins with SYN_SENT, a server's connection with SYN_RECEIVED or ESTABLISHED. */
tcp:::state-change
/args[3]->tcps_state != TCP_STATE_CLOSED && args[3]->tcps_state != TCP_STATE_LISTEN && !born[args[1]->cs_cid]/
{
  born[args[1]->cs_cid] = timestamp;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT || args[3]->tcps_state == TCP_STATE_LAST_ACK ||
  args[3]->tcps_state == TCP_STATE_FIN_WAIT_1/
{
  owner[args[1]->cs_cid] = pid;
  program[args[1]->cs_cid] = execname;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && born[args[1]->cs_cid] &&
  ($$name == "" || program[args[1]->cs_cid] == $$name) &&
  ($port == 0 || args[3]->tcps_lport == $port || args[3]->tcps_rport == $port)/
{
  this->tcp = (struct tcp_sock *)args[1]->cs_addr;
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%7d %-16s %-45s %-45s %10d %10d %10d\n", owner[args[1]->cs_cid], program[args[1]->cs_cid],
    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
    this->tcp->bytes_acked > 0 ? this->tcp->bytes_acked - 1 : 0, this->tcp->bytes_received,
    (timestamp - born[args[1]->cs_cid]) / 1000000);
  @connections = count();
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
  born[args[1]->cs_cid] = 0;
  owner[args[1]->cs_cid] = 0;
  program[args[1]->cs_cid] = 0;
}

dtrace:::END
{
  printa("%@d connections\n", @connections);
}
