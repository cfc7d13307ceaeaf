#!/usr/bin/env -S dscope -s
/* Which HTTP requests do servers answer, with which status, and how long does that take?
 *
 * Looks at the bytes that programs read and write, so it works for servers in any language: Node.js, Python, Java, Go,
 * nginx. US is the time from the read of the request to the first write of its answer. Not seen are requests through TLS or
 * HTTP/2, and those that the program reads by io_uring. Only one request at a time counts for each connection.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg -x "only statuses of 400 and above"
#pragma D arg -m, --min TIME=0s "only requests that take at least this long"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

/* The first 4 bytes of a request, and of an answer. */
inline int is_method[uint32_t bytes] = bytes == 0x20544547 /* GET */ || bytes == 0x54534f50 /* POST */ ||
  bytes == 0x20545550 /* PUT */ || bytes == 0x44414548 /* HEAD */ || bytes == 0x454c4544 /* DELETE */ ||
  bytes == 0x43544150 /* PATCH */ || bytes == 0x4954504f /* OPTIONS */;
inline uint32_t ANSWER = 0x50545448;  /* HTTP */

/* The time and the first line of the request that a connection waits for an answer to. */
uint64_t asked[pid_t, int];
string request[pid_t, int];

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %6s %10s %s\n", "PID", "PROGRAM", "STATUS", "US", "REQUEST");
}

syscall::read:entry, syscall::recvfrom:entry
/is_traced/
{
  self->socket = (int)arg0;
  self->buffer = arg1;
}

syscall::readv:entry
/is_traced/
{
  self->socket = (int)arg0;
  self->buffer = *(uintptr_t *)copyin(arg1, sizeof(uintptr_t));
}

syscall::read:return, syscall::recvfrom:return, syscall::readv:return
/self->buffer && (int64_t)arg0 > 14 && is_method[*(uint32_t *)copyin(self->buffer, 4)]/
{
  this->line = strtok(copyinstr(self->buffer, arg0 + 1), "\r");
  this->method = strtok(this->line, " ");
  asked[pid, self->socket] = timestamp;
  request[pid, self->socket] = strjoin(this->method, strjoin(" ", strtok(NULL, " ")));
}

syscall::read:return, syscall::recvfrom:return, syscall::readv:return
{
  self->buffer = 0;
  self->socket = 0;
}

syscall::write:entry, syscall::sendto:entry
/asked[pid, (int)arg0]/
{
  self->answer = arg1;
}

syscall::writev:entry
/asked[pid, (int)arg0]/
{
  self->answer = *(uintptr_t *)copyin(arg1, sizeof(uintptr_t));
}

syscall::sendmsg:entry
/asked[pid, (int)arg0]/
{
  this->parts = ((struct user_msghdr *)copyin(arg1, sizeof(struct user_msghdr)))->msg_iov;
  self->answer = *(uintptr_t *)copyin((uintptr_t)this->parts, sizeof(uintptr_t));
}

syscall::write:entry, syscall::sendto:entry, syscall::writev:entry, syscall::sendmsg:entry
/self->answer && *(uint32_t *)copyin(self->answer, 4) == ANSWER/
{
  this->status = strtoll(copyinstr(self->answer + 9, 4));
  this->ns = timestamp - asked[pid, (int)arg0];
  this->is_shown = this->ns >= $min && (!$errors || this->status >= 400);
  self->has_answered = 1;
}

syscall::write:entry, syscall::sendto:entry, syscall::writev:entry, syscall::sendmsg:entry
/self->has_answered && this->is_shown/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %6d %10d %s\n", pid, execname, this->status, this->ns / 1000, request[pid, (int)arg0]);
  @answers = count();
}

syscall::write:entry, syscall::sendto:entry, syscall::writev:entry, syscall::sendmsg:entry, syscall::close:entry
/self->has_answered || (probefunc == "close" && asked[pid, (int)arg0])/
{
  asked[pid, (int)arg0] = 0;
  request[pid, (int)arg0] = 0;
}

syscall::write:entry, syscall::sendto:entry, syscall::writev:entry, syscall::sendmsg:entry
/self->answer/
{
  self->answer = 0;
  self->has_answered = 0;
}

dtrace:::END
{
  printa("%@d answers\n", @answers);
}
