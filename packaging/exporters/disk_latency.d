#!/usr/bin/env -S dscope -s
/* Exporter: how long disk requests take, and how many bytes they move.
 * Usage: dscope --serve=:9464 -s disk_latency.d
 */
#pragma D option quiet
#pragma D option metric="@time name=dscope_disk_time unit=seconds scale=1e-9 keys=device,direction help=Time from the start of a disk request to its end"
#pragma D option metric="@bytes name=dscope_disk keys=device,direction help=Bytes of disk requests"

io:::start
{
  start[args[0]->b_edev, args[0]->b_blkno] = timestamp;
}

io:::done
/start[args[0]->b_edev, args[0]->b_blkno]/
{
  @time[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] =
    quantize(timestamp - start[args[0]->b_edev, args[0]->b_blkno]);
  @bytes[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] = sum(args[0]->b_bcount);
  start[args[0]->b_edev, args[0]->b_blkno] = 0;
}
