#!/usr/bin/env -S dscope -s
/* Show disk traffic by program, file and direction: the thirty largest sums.
 * Usage: dscope-iobyfile
 */
#pragma D option quiet

dtrace:::BEGIN
{
  printf("Counting disk requests... Ctrl-C ends it.\n");
}

io:::start
{
  @[execname, args[0]->b_flags & B_READ ? "R" : "W", args[2]->fi_pathname] = sum(args[0]->b_bcount);
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, 30);
  normalize(@, 1024);
  printf("%-16s %1s %-64s %10s\n", "PROGRAM", "D", "FILE", "KiB");
  printa("%-16s %1s %-64s %@10d\n", @);
}
