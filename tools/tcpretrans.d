#!/usr/bin/env -S dscope -s
/* Which TCP segments are sent again?
 *
 * A segment is sent again if its acknowledgment does not come. STATE is the state of the connection.
 */
#pragma D arg -T -d
#pragma D arg --port PORT "only connections with this local or remote port"
#pragma D option quiet
#pragma D option switchrate=10hz

inline string short_state[int state] =
  state == 1 ? "ESTABLISHED" : state == 2 ? "SYN_SENT" : state == 3 ? "SYN_RECV" : state == 4 ? "FIN_WAIT1" :
  state == 5 ? "FIN_WAIT2" : state == 6 ? "TIME_WAIT" : state == 7 ? "CLOSE" : state == 8 ? "CLOSE_WAIT" :
  state == 9 ? "LAST_ACK" : state == 10 ? "LISTEN" : state == 11 ? "CLOSING" : "NEW_SYN_RECV";

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  printf("%-21s %-21s %s\n", "LOCAL", "REMOTE", "STATE");
}

sdt:tcp::tcp_retransmit_skb
/$port == 0 || args[3] == $port || args[4] == $port/
{
  this->is_v6 = args[5] == AF_INET6;
  this->local = this->is_v6 ? inet_ntoa6((struct in6_addr *)args[8]) : inet_ntoa((ipaddr_t *)args[6]);
  this->remote = this->is_v6 ? inet_ntoa6((struct in6_addr *)args[9]) : inet_ntoa((ipaddr_t *)args[7]);
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-21s %-21s %s\n", strjoin(this->local, strjoin(":", lltostr(args[3]))),
    strjoin(this->remote, strjoin(":", lltostr(args[4]))), short_state[args[2]]);
  @segments = count();
}

/* The answer to a SYN, before there is a connection. */
sdt:tcp::tcp_retransmit_synack
/$port == 0 || args[2] == $port || args[3] == $port/
{
  this->is_v6 = args[4] == AF_INET6;
  this->local = this->is_v6 ? inet_ntoa6((struct in6_addr *)args[7]) : inet_ntoa((ipaddr_t *)args[5]);
  this->remote = this->is_v6 ? inet_ntoa6((struct in6_addr *)args[8]) : inet_ntoa((ipaddr_t *)args[6]);
  if ($time) printf("%-20Y ", walltimestamp);
  printf("%-21s %-21s %s\n", strjoin(this->local, strjoin(":", lltostr(args[2]))),
    strjoin(this->remote, strjoin(":", lltostr(args[3]))), "SYN_RECV");
  @segments = count();
}

dtrace:::END
{
  printa("%@d segments sent again\n", @segments);
}
