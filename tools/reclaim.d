#!/usr/bin/env -S dscope -s
/* Which programs wait because the kernel frees memory for them?
 *
 * Direct reclaim: an allocation that found too little free memory and looks for pages to free. The total says how long
 * programs waited for it.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg -m, --min TIME=0s "only waits that take at least this long"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %6s %10s %10s\n", "PID", "PROGRAM", "ORDER", "US", "PAGES");
}

sdt:vmscan::mm_vmscan_direct_reclaim_begin, sdt:vmscan::mm_vmscan_memcg_reclaim_begin
/is_traced/
{
  self->start = timestamp;
  self->order = args[0];
}

sdt:vmscan::mm_vmscan_direct_reclaim_end, sdt:vmscan::mm_vmscan_memcg_reclaim_end
/self->start && timestamp - self->start >= $min/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %6d %10d %10d\n", pid, execname, self->order, (timestamp - self->start) / 1000, args[0]);
  @total[execname] = sum((timestamp - self->start) / 1000);
}

sdt:vmscan::mm_vmscan_direct_reclaim_end, sdt:vmscan::mm_vmscan_memcg_reclaim_end
{
  self->start = 0;
  self->order = 0;
}

dtrace:::END
{
  printa("%s: %@d us\n", @total);
}
