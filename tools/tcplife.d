#!/usr/bin/env -S dscope -s
/* How long did TCP connections live, and how much did they carry?
 *
 * One row for each connection that ends. PID and PROGRAM are those that opened it, or that ran when it was accepted.
 */
#pragma D arg -C -K -T -d
#pragma D arg -n "only connections of this program"
#pragma D arg --port PORT "only connections with this local or remote port"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int SOCK_DONE = 1;  /* the bit in the flags of a socket */

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-15s %8s %10s %10s %-21s %s\n", "PID", "PROGRAM", "MS", "SENT(B)", "RECV(B)", "REMOTE", "LOCAL");
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
  if ($by_container || $$container != "") place[args[1]->cs_cid] = container;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && born[args[1]->cs_cid] &&
  ($$name == "" || program[args[1]->cs_cid] == $$name) &&
  ($$container == "" || place[args[1]->cs_cid] == $$container) &&
  ($port == 0 || args[3]->tcps_lport == $port || args[3]->tcps_rport == $port)/
{
  this->tcp = (struct tcp_sock *)args[1]->cs_addr;
  /* The kernel counts the other end's FIN as a byte. */
  this->has_end = (((struct sock *)args[1]->cs_addr)->__sk_common.skc_flags >> SOCK_DONE) & 1;
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", place[args[1]->cs_cid]);
  printf("%7d %-15s %8d %10d %10d %-21s %s\n", owner[args[1]->cs_cid], program[args[1]->cs_cid],
    (timestamp - born[args[1]->cs_cid]) / 1000000,
    this->tcp->bytes_sent - this->tcp->bytes_retrans, this->tcp->bytes_received - this->has_end,
    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))));
  @connections = count();
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
  born[args[1]->cs_cid] = 0;
  owner[args[1]->cs_cid] = 0;
  program[args[1]->cs_cid] = 0;
  if ($by_container || $$container != "") place[args[1]->cs_cid] = 0;
}

dtrace:::END
{
  printa("%@d connections\n", @connections);
}
