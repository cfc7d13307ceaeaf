#!/usr/bin/env -S dscope -s
/* Which TCP connections do programs open, how long does that take, and with which result?
 *
 * US is the time from the request until the answer. ERR is 0, or the error: ECONNREFUSED if the other end turned the
 * connection down, ETIMEDOUT if it did not answer. A connection that the program gave up has the error EINTR.
 * For incoming connections see dscope-tcpaccept.
 */
#pragma D arg -n -C -K -T -x -d
#pragma D arg --port PORT "only connections to this port"
#pragma D option quiet
#pragma D option switchrate=10hz

inline string error_name[int error] = error == 0 ? "0" : error == ECONNREFUSED ? "ECONNREFUSED" :
  error == ETIMEDOUT ? "ETIMEDOUT" : error == EHOSTUNREACH ? "EHOSTUNREACH" : error == ENETUNREACH ? "ENETUNREACH" :
  error == ECONNRESET ? "ECONNRESET" : error == EINTR ? "EINTR" : lltostr(error);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-15s %9s %-8s %-21s %s\n", "PID", "PROGRAM", "US", "ERR", "TO", "FROM");
}

/* The state SYN_SENT begins in connect(), so the program is current. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT && ($$name == "" || execname == $$name) &&
  ($$container == "" || container == $$container) && ($port == 0 || args[3]->tcps_rport == $port)/
{
  started[args[1]->cs_cid] = timestamp;
  opener[args[1]->cs_cid] = pid;
  program[args[1]->cs_cid] = execname;
  if ($by_container) place[args[1]->cs_cid] = container;
}

/* It ends in another state. The socket is closed if the connection failed. */
tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && started[args[1]->cs_cid]/
{
  this->error = ((struct sock *)args[1]->cs_addr)->sk_err;
  this->result = args[3]->tcps_state != TCP_STATE_CLOSED ? 0 : this->error == 0 ? EINTR : this->error;
  this->is_shown = !$errors || this->result != 0;
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && started[args[1]->cs_cid] && this->is_shown/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", place[args[1]->cs_cid]);
  printf("%7d %-15s %9d %-8s %-21s %s\n", opener[args[1]->cs_cid], program[args[1]->cs_cid],
    (timestamp - started[args[1]->cs_cid]) / 1000, error_name[this->result],
    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))));
  @[this->result == 0 ? "opened" : "failed"] = count();
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && started[args[1]->cs_cid]/
{
  started[args[1]->cs_cid] = 0;
  opener[args[1]->cs_cid] = 0;
  program[args[1]->cs_cid] = 0;
  if ($by_container) place[args[1]->cs_cid] = 0;
}

dtrace:::END
{
  printa("%@d connections %s\n", @);
}
