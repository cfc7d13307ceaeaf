#!/usr/bin/env -S dscope -s
/* Which host names do programs look up, and how long does that take?
 *
 * Calls of getaddrinfo() in the C library, whatever the lookup uses. RESULT is 0 or the EAI code, such as -2 for an
 * unknown name.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg -x "only lookups that fail"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %10s %6s %s\n", "PID", "PROGRAM", "MS", "RESULT", "HOST");
}

uprobe:libc.so.6:getaddrinfo:entry
/is_traced/
{
  self->host = arg0;
  self->start = timestamp;
}

uprobe:libc.so.6:getaddrinfo:return
/self->start && (!$errors || (int)arg1 != 0)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %10d %6d %s\n", pid, execname, (timestamp - self->start) / 1000000, (int)arg1,
    self->host ? copyinstr(self->host) : "-");
  @lookups = count();
}

uprobe:libc.so.6:getaddrinfo:return
{
  self->host = 0;
  self->start = 0;
}

dtrace:::END
{
  printa("%@d lookups\n", @lookups);
}
