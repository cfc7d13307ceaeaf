#!/usr/bin/env -S dscope -s
/* Show where a program touches new memory: page faults by user stack.
 * Usage: dscope-pagefaults PROGRAM
 *        dscope-pagefaults -c COMMAND
 *        dscope-pagefaults -p PID
 */
#pragma D option quiet
#pragma D option ustackunwind=dwarf
#pragma D option aggmerge
#pragma D option bufsize=64m
#pragma D option defaultargs

dtrace:::BEGIN
/$$1 == "" && $target == 0/
{
  printf("usage: dscope-pagefaults PROGRAM, or -c COMMAND, or -p PID\n");
  exit(2);
}

dtrace:::BEGIN
/$$1 != "" || $target != 0/
{
  printf("Counting page faults... Ctrl-C ends it.\n");
}

sdt:exceptions::page_fault_user
/$target ? pid == $target : execname == $$1/
{
  @[ustack(8)] = count();
  @all = count();
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, 15);
  printa(@);
  printa("%@d page faults\n", @all);
}
