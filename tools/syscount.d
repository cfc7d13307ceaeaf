#!/usr/bin/env -S dscope -s
/* Count system calls, their failures and the time they take, until Ctrl-C or the end of a command.
 * Usage: dscope-syscount [PROGRAM]      only calls of PROGRAM
 *        dscope-syscount -c COMMAND     only calls of COMMAND
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
  printf("Counting system calls... Ctrl-C ends it.\n");
}

syscall:::entry
/$target ? pid == $target : ($$1 == "" || execname == $$1)/
{
  self->start = timestamp;
}

syscall:::return
/self->start/
{
  @calls[probefunc] = count();
  @failed[probefunc] = sum(errno != 0);
  @total[probefunc] = sum(timestamp - self->start);
  @longest[probefunc] = max(timestamp - self->start);
  self->start = 0;
}

dtrace:::END
{
  normalize(@total, 1000);
  normalize(@longest, 1000);
  setopt("aggsortpos", "2");
  printf("%-24s %10s %8s %14s %12s\n", "CALL", "COUNT", "FAILED", "TOTAL(us)", "LONGEST(us)");
  printa("%-24s %@10d %@8d %@14d %@12d\n", @calls, @failed, @total, @longest);
}
