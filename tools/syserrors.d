#!/usr/bin/env -S dscope -s
/* Count system calls that fail, by program, call and error.
 * Usage: dscope-syserrors [PROGRAM]
 * errno(3) explains the names of the errors.
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
  printf("Counting system calls that fail... Ctrl-C ends it.\n");
}

syscall:::return
/errno != 0 && ($$1 == "" || execname == $$1)/
{
  @[execname, probefunc, errno] = count();
}

dtrace:::END
{
  printf("%-16s %-24s %-16s %10s\n", "PROGRAM", "CALL", "ERROR", "COUNT");
  printa("%-16s %-24s %-16s %@10d\n", @);
}
