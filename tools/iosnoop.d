#!/usr/bin/env -S dscope -s
/* Print disk requests as they complete: the program, the file, the size and the duration.
 * Usage: dscope-iosnoop
 * The kernel often writes data later. The program is a kernel thread then, but the file is still the right one.
 */
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  printf("%-6s %-16s %-8s %1s %10s %10s %s\n", "PID", "PROGRAM", "DEVICE", "D", "BYTES", "US", "FILE");
}

io:::start
{
  start[args[0]->b_edev, args[0]->b_blkno] = timestamp;
  starter[args[0]->b_edev, args[0]->b_blkno] = pid;
  program[args[0]->b_edev, args[0]->b_blkno] = execname;
}

io:::done
/start[args[0]->b_edev, args[0]->b_blkno]/
{
  this->us = (timestamp - start[args[0]->b_edev, args[0]->b_blkno]) / 1000;
  printf("%-6d %-16s %-8s %1s %10d %10d %s\n", starter[args[0]->b_edev, args[0]->b_blkno],
    program[args[0]->b_edev, args[0]->b_blkno], args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W",
    args[0]->b_bcount, this->us, args[2]->fi_pathname);
  @bytes[args[0]->b_flags & B_READ ? "read" : "written"] = sum(args[0]->b_bcount);
}

io:::done
{
  start[args[0]->b_edev, args[0]->b_blkno] = 0;
  starter[args[0]->b_edev, args[0]->b_blkno] = 0;
  program[args[0]->b_edev, args[0]->b_blkno] = 0;
}

dtrace:::END
{
  normalize(@bytes, 1024);
  printa("%@d KiB %s\n", @bytes);
}
