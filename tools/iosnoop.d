#!/usr/bin/env -S dscope -s
/* Which disk requests complete, and how long did they wait and take?
 *
 * QUEUE is the time in the queue, DISK the time in the device. D is R for reads, W for writes, F for flushes.
 * The kernel often writes data later. The program is a kernel thread then, but the file is still the right one.
 */
#pragma D arg -n -C -K -T -d
#pragma D arg -x "only requests that fail"
#pragma D arg -m, --min TIME=0s "only requests that take at least this long"
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-8s %1s %10s %9s %9s %s\n", "PID", "PROGRAM", "DEVICE", "D", "BYTES", "QUEUE(us)",
    "DISK(us)", "FILE");
}

io:::start
/($$name == "" || execname == $$name) && ($$container == "" || container == $$container)/
{
  start[arg0] = timestamp;
  starter[arg0] = pid;
  program[arg0] = execname;
  if ($by_container) place[arg0] = container;
}

/* Requests of this address: the tracepoint's argument is the struct request. */
rawtp:::block_rq_issue
/start[arg0]/
{
  issued[arg0] = timestamp;
}

io:::done
/start[arg0] && timestamp - start[arg0] >= $min && (!$errors || args[0]->b_error != 0)/
{
  this->issued = issued[arg0] ? issued[arg0] : start[arg0];
  this->letter = args[0]->b_flags & B_READ ? "R" : args[0]->b_bcount == 0 ? "F" : "W";
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", place[arg0]);
  printf("%7d %-16s %-8s %1s %10d %9d %9d %s\n", starter[arg0], program[arg0], args[1]->dev_statname,
    this->letter, args[0]->b_bcount, (this->issued - start[arg0]) / 1000, (timestamp - this->issued) / 1000,
    args[2]->fi_pathname);
  @bytes[args[0]->b_flags & B_READ ? "read" : "written"] = sum(args[0]->b_bcount);
}

io:::done
{
  start[arg0] = 0;
  starter[arg0] = 0;
  program[arg0] = 0;
  if ($by_container) place[arg0] = 0;
  issued[arg0] = 0;
}

dtrace:::END
{
  normalize(@bytes, 1024);
  printa("%@d KiB %s\n", @bytes);
}
