#!/usr/bin/env -S dscope -s
/* How long do disk requests take, for each device and direction?
 *
 * Times in microseconds from the request to its completion. -i prints every interval anew.
 */
#pragma D arg -n -C -d -i
#pragma D option quiet
#pragma D option metric="@ name=dscope_iolatency unit=seconds scale=1e-6 keys=device,direction help=Time from the start of a disk request to its end"
#pragma D option metric="@requests name=dscope_iolatency_requests keys=device,direction help=Disk requests"
#pragma D option metric="@percentiles name=dscope_iolatency_quantiles unit=seconds scale=1e-6 keys=device,direction help=Percentiles of the time of disk requests"
#pragma D option metric="@longest name=dscope_iolatency_longest unit=seconds scale=1e-6 keys=device,direction help=Longest time of a disk request"

dtrace:::BEGIN
{
  printf("Measuring disk requests... Ctrl-C ends it.\n");
}

io:::start
/($$name == "" || execname == $$name) && ($$container == "" || container == $$container)/
{
  start[args[0]->b_edev, args[0]->b_blkno] = timestamp;
}

io:::done
/start[args[0]->b_edev, args[0]->b_blkno]/
{
  this->us = (timestamp - start[args[0]->b_edev, args[0]->b_blkno]) / 1000;
  this->way = args[0]->b_flags & B_READ ? "read" : "write";
  @[args[1]->dev_statname, this->way] = quantize(this->us);
  @requests[args[1]->dev_statname, this->way] = count();
  @percentiles[args[1]->dev_statname, this->way] = percentile(this->us, 50, 95, 99);
  @longest[args[1]->dev_statname, this->way] = max(this->us);
  start[args[0]->b_edev, args[0]->b_blkno] = 0;
}

profile:::tick-$interval, dtrace:::END
{
  printa("\n%s %s, us%@d", @);
  printf("\n%-12s %-12s %10s %10s %10s %10s %10s\n", "DEVICE", "REQUESTS", "COUNT", "P50", "P95", "P99", "LONGEST");
  printa("%-12s %-12s %@10d %@10d %@10d\n", @requests, @percentiles, @longest);
  trunc(@);
  trunc(@requests);
  trunc(@percentiles);
  trunc(@longest);
}
