#!/usr/bin/env -S dscope -s
/* How long does Node.js stop to collect garbage?
 *
 * KIND is scavenge for young objects, mark-compact for all. US is the time that JavaScript did not run. V8 does parts of
 * the work in other threads meanwhile and before, which do not count. Needs a Node.js that exports the functions of V8, as
 * those of Debian and of nodejs.org do.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg -m, --min TIME=0s "only collections that take at least this long"
#pragma D option quiet
#pragma D option switchrate=10hz
#pragma D option zdefs

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %7s %-16s %-12s %10s\n", "PID", "TID", "THREAD", "KIND", "US");
}

/* CollectGarbage(AllocationSpace, ...) of the heap of V8, in the program or, as in Debian, in a library. */
uprobe:node:_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpace*:entry,
uprobe:libnode:_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpace*:entry
/is_traced && !self->start/
{
  self->start = timestamp;
  self->is_full = 0;
}

/* MarkCompact() of the heap */
uprobe:node:_ZN2v88internal4Heap11MarkCompactEv:entry, uprobe:libnode:_ZN2v88internal4Heap11MarkCompactEv:entry
/self->start/
{
  self->is_full = 1;
}

uprobe:node:_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpace*:return,
uprobe:libnode:_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpace*:return
/self->start && timestamp - self->start >= $min/
{
  this->us = (timestamp - self->start) / 1000;
  this->kind = self->is_full ? "mark-compact" : "scavenge";
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %7d %-16s %-12s %10d\n", pid, tid, execname, this->kind, this->us);
  @total[this->kind] = sum(this->us);
  @runs[this->kind] = count();
}

uprobe:node:_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpace*:return,
uprobe:libnode:_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpace*:return
{
  self->start = 0;
  self->is_full = 0;
}

dtrace:::END
{
  printa("%s: %@d collections, %@d us\n", @runs, @total);
}
