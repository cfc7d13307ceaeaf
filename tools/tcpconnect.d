#!/usr/bin/env -S dscope -s
/* Which TCP connections do programs open and accept?
 *
 * CONNECT is an outgoing connection, ACCEPT an incoming one, REFUSED one that was turned down. MS is the time from the
 * request until the answer. Established connections are shown with the program that asked for them; ACCEPT happens in the
 * kernel, before the server accepts, so its program is not known: see dscope-tcpaccept.
 */
#pragma D arg -n -T -x -d
#pragma D arg --port PORT "only connections to this port"
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  printf("%-8s %7s %-16s %-39s %-39s %8s\n", "EVENT", "PID", "PROGRAM", "FROM", "TO", "US");
}

/* The client's own state change to SYN_SENT happens in connect(), so the program is current. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT/
{
  started[args[1]->cs_cid] = timestamp;
  opener[args[1]->cs_cid] = pid;
  program[args[1]->cs_cid] = execname;
}

tcp:::connect-established
/!$errors && started[args[1]->cs_cid] && ($$name == "" || program[args[1]->cs_cid] == $$name) &&
  ($port == 0 || args[4]->tcp_sport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-8s %7d %-16s %-39s %-39s %8d\n", "CONNECT", opener[args[1]->cs_cid], program[args[1]->cs_cid],
    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
    (timestamp - started[args[1]->cs_cid]) / 1000);
  @["connected"] = count();
}

tcp:::connect-refused
/started[args[1]->cs_cid] && ($$name == "" || program[args[1]->cs_cid] == $$name) &&
  ($port == 0 || args[4]->tcp_sport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-8s %7d %-16s %-39s %-39s %8d\n", "REFUSED", opener[args[1]->cs_cid], program[args[1]->cs_cid],
    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
    (timestamp - started[args[1]->cs_cid]) / 1000);
  @["refused"] = count();
}

tcp:::connect-established, tcp:::connect-refused
{
  started[args[1]->cs_cid] = 0;
  opener[args[1]->cs_cid] = 0;
  program[args[1]->cs_cid] = 0;
}

tcp:::accept-established
/!$errors && $$name == "" && ($port == 0 || args[3]->tcps_lport == $port)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-8s %7s %-16s %-39s %-39s %8s\n", "ACCEPT", "-", "-",
    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))), "-");
  @["accepted"] = count();
}

dtrace:::END
{
  printa("%@d %s\n", @);
}
