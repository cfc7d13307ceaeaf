#!/usr/bin/env -S dscope -s
/* Count which threads wake which other threads.
 * Usage: dscope-wakeups
 */
#pragma D option quiet

dtrace:::BEGIN
{
  printf("Counting wake-ups... Ctrl-C ends it.\n");
}

sched:::wakeup
{
  @[execname, args[1]->pr_fname] = count();
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, 30);
  printf("%-20s %-20s %10s\n", "WAKER", "WOKEN", "COUNT");
  printa("%-20s %-20s %@10d\n", @);
}
