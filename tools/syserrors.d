#!/usr/bin/env -S dscope -s
/* System calls that fail, by program, call and error number: what a program tries in vain, and how often.
 * Usage: syserrors.d [PROGRAM]
 * The names of the numbers are in errno(3).
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
