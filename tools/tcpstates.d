#!/usr/bin/env -S dscope -s
/* Which states do TCP connections pass through, and how long do they stay?
 *
 * MS is the time in the old state. PID and PROGRAM ran when the state changed: for states that a packet changes, often not
 * those of the connection.
 */
#pragma D arg -T -d
#pragma D arg --port PORT "only connections with this local or remote port"
#pragma D option quiet
#pragma D option switchrate=10hz

/* "state-established" becomes "established". */
inline string short_state[int state] = substr(tcp_state_string[state], 6);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  printf("%7s %-12s %8s %-12s %-12s %-21s %s\n", "PID", "PROGRAM", "MS", "OLD", "NEW", "LOCAL", "REMOTE");
}

tcp:::state-change
/$port == 0 || args[3]->tcps_lport == $port || args[3]->tcps_rport == $port/
{
  this->since = changed[args[1]->cs_cid];
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%7d %-12s %8d %-12s %-12s %-21s %s\n", pid, execname,
    this->since == 0 ? 0 : (timestamp - this->since) / 1000000,
    short_state[args[5]->tcps_state], short_state[args[3]->tcps_state],
    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))));
  @[short_state[args[3]->tcps_state]] = count();
  changed[args[1]->cs_cid] = args[3]->tcps_state == TCP_STATE_CLOSED ? 0 : timestamp;
}

dtrace:::END
{
  printa("%@8d -> %s\n", @);
}
