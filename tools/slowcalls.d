#!/usr/bin/env -S dscope -s
/* Print system calls that take long, with the user stack.
 * Usage: dscope-slowcalls [MILLISECONDS] [PROGRAM]     by default 10 ms and all programs
 * The time includes waiting: poll and futex are slow by design.
 */
#pragma D option quiet
#pragma D option ustackunwind=dwarf
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  limit = ($1 > 0 ? $1 : 10) * 1000000;
  printf("%-6s %-16s %-24s %10s %s\n", "PID", "PROGRAM", "CALL", "MS", "ERRNO");
}

syscall:::entry
/pid != $pid && ($$2 == "" || execname == $$2)/
{
  self->start = timestamp;
}

syscall:::return
/self->start && timestamp - self->start >= limit/
{
  printf("%-6d %-16s %-24s %10d %s", pid, execname, probefunc, (timestamp - self->start) / 1000000, errno);
  ustack(5);
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
