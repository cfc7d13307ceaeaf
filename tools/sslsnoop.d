#!/usr/bin/env -S dscope -s
/* What do programs send and receive through TLS, before encryption?
 *
 * Calls of SSL_read(), SSL_write() and their _ex forms in OpenSSL. DATA is the first bytes, with dots for control characters.
 * Shows passwords and other secrets: handle the output accordingly.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

inline int shown = 64;

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-8s %8s %s\n", "PID", "PROGRAM", "WAY", "BYTES", "DATA");
}

uprobe:libssl.so.3:SSL_write:entry, uprobe:libssl.so.3:SSL_write_ex:entry
/is_traced && (int)arg2 > 0/
{
  this->length = (int)arg2 < shown ? arg2 : shown;
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-8s %8d %s\n", pid, execname, "SENT", arg2,
    memstr(copyin(arg1, this->length), '.', this->length + 1));
  @bytes["sent"] = sum(arg2);
}

uprobe:libssl.so.3:SSL_read:entry
/is_traced/
{
  self->buffer = arg1;
}

uprobe:libssl.so.3:SSL_read_ex:entry
/is_traced/
{
  self->buffer = arg1;
  self->count = arg3;
}

uprobe:libssl.so.3:SSL_read_ex:return
/self->buffer && (int)arg1 == 1/
{
  this->bytes = *(size_t *)copyin(self->count, sizeof(size_t));
  this->length = this->bytes < shown ? this->bytes : shown;
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-8s %8d %s\n", pid, execname, "RECEIVED", this->bytes,
    memstr(copyin(self->buffer, this->length), '.', this->length + 1));
  @bytes["received"] = sum(this->bytes);
}

uprobe:libssl.so.3:SSL_read:return
/self->buffer && (int)arg1 > 0/
{
  this->length = (int)arg1 < shown ? arg1 : shown;
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-8s %8d %s\n", pid, execname, "RECEIVED", (int)arg1,
    memstr(copyin(self->buffer, this->length), '.', this->length + 1));
  @bytes["received"] = sum(arg1);
}

uprobe:libssl.so.3:SSL_read:return, uprobe:libssl.so.3:SSL_read_ex:return
{
  self->buffer = 0;
  self->count = 0;
}

dtrace:::END
{
  printa("%@d bytes %s\n", @bytes);
}
