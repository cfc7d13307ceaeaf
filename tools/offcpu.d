#!/usr/bin/env -S dscope -s
/* Show where threads of a program wait, by user and kernel stack, in microseconds.
 * Usage: dscope-offcpu PROGRAM
 *        dscope-offcpu -c COMMAND
 *        dscope-offcpu --format=folded PROGRAM > out.folded     for a flame graph
 */
#pragma D option quiet
#pragma D option ustackunwind=dwarf
#pragma D option aggmerge
#pragma D option defaultargs

dtrace:::BEGIN
/$$1 == "" && $target == 0/
{
  printf("usage: dscope-offcpu PROGRAM, or -c COMMAND, or -p PID\n");
  exit(2);
}

sched:::off-cpu
/$target ? pid == $target : execname == $$1/
{
  self->start = timestamp;
}

sched:::on-cpu
/self->start/
{
  @[execname, ustack(), stack()] = sum((timestamp - self->start) / 1000);
  self->start = 0;
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, 20);
  printa(@);
}
