#!/usr/bin/env -S dscope -s
/* Count system calls that fail, by program, call and error number.
 * Usage: syserrors.d [PROGRAM]
 * errno(3) lists the names of the numbers.
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
  printf("%-16s %-24s %5s %10s\n", "PROGRAM", "CALL", "ERRNO", "COUNT");
  printa("%-16s %-24s %5d %@10d\n", @);
}
