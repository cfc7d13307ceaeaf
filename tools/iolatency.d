#!/usr/bin/env -S dscope -s
/* Show how long disk requests take, as a distribution for each device and direction.
 * Usage: dscope-iolatency
 */
#pragma D option quiet

dtrace:::BEGIN
{
  printf("Measuring disk requests... Ctrl-C ends it.\n");
}

io:::start
{
  start[args[0]->b_edev, args[0]->b_blkno] = timestamp;
}

io:::done
/start[args[0]->b_edev, args[0]->b_blkno]/
{
  @[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read, us" : "write, us"] =
    quantize((timestamp - start[args[0]->b_edev, args[0]->b_blkno]) / 1000);
  start[args[0]->b_edev, args[0]->b_blkno] = 0;
}

dtrace:::END
{
  printa("\n%s %s%@d", @);
}
