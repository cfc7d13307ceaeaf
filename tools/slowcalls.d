#!/usr/bin/env -S dscope -s
/* Which system calls take long?
 *
 * --min sets the shortest duration that is shown, --stacks shows the calling code. A call that waits for input or a timer takes long, too.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg -m, --min TIME=10ms "only calls that take at least this long"
#pragma D arg -s, --stacks "the user stack of each call"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-20s %10s %s\n", "PID", "PROGRAM", "CALL", "MS", "RESULT");
}

syscall:::entry
/is_traced/
{
  self->start = timestamp;
}

syscall:::return
/self->start && timestamp - self->start >= $min/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-20s %10d %d\n", pid, execname, probefunc, (timestamp - self->start) / 1000000,
    errno != 0 ? -errno : (int64_t)arg0);
  if ($stacks)
    ustack(8);
  @slow = count();
}

syscall:::return
{
  self->start = 0;
}

dtrace:::END
{
  printa("%@d slow calls\n", @slow);
}
