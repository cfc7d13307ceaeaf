#!/usr/bin/env -S dscope -s
/* Which programs accept which TCP connections?
 *
 * Calls of accept() and accept4() that return a TCP connection.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg --port PORT "only connections to this port"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-21s %-21s %6s\n", "PID", "PROGRAM", "FROM", "AT", "QUEUED");
}

syscall::accept:return, syscall::accept4:return
/errno == 0 && is_traced/
{
  this->socket = (struct socket *)__file_of[(int)arg0]->private_data;
  this->sk = this->socket->sk;
  this->family = this->sk->__sk_common.skc_family;
  this->local_port = this->sk->__sk_common.skc_num;
  this->is_shown = this->sk->sk_protocol == IPPROTO_TCP && (this->family == AF_INET || this->family == AF_INET6) &&
    ($port == 0 || this->local_port == $port);
}

syscall::accept:return, syscall::accept4:return
/errno == 0 && is_traced && this->is_shown/
{
  this->from = this->family == AF_INET ? inet_ntoa(&this->sk->__sk_common.skc_daddr) :
    inet_ntoa6(&this->sk->__sk_common.skc_v6_daddr);
  this->at = this->family == AF_INET ? inet_ntoa(&this->sk->__sk_common.skc_rcv_saddr) :
    inet_ntoa6(&this->sk->__sk_common.skc_v6_rcv_saddr);
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-21s %-21s %6d\n", pid, execname,
    strjoin(this->from, strjoin(":", lltostr(ntohs(this->sk->__sk_common.skc_dport)))),
    strjoin(this->at, strjoin(":", lltostr(this->local_port))), this->sk->sk_ack_backlog);
  @accepted = count();
}

dtrace:::END
{
  printa("%@d connections\n", @accepted);
}
