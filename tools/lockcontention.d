#!/usr/bin/env -S dscope -s
/* Which locks of the kernel do threads wait for?
 *
 * Stacks show which code waited, for how many microseconds. The table has the kinds of locks: a spinlock or rwlock keeps
 * the CPU busy while the thread waits, the others let it sleep.
 */
#pragma D arg -p -c -n -C -K -d -t
#pragma D option quiet
#pragma D option aggkept
#pragma D option aggmerge

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;

/* Flags of the tracepoint: 1 spins, 2 reads, 4 writes, 8 real-time mutex, 16 per CPU, 32 mutex. */
inline string kind_of_lock[int flags] =
  flags & 32 ? "mutex" : flags & 8 ? "rtmutex" : flags & 16 ? "percpu-rwsem" :
  (flags & 3) == 3 ? "rwlock read" : (flags & 5) == 5 ? "rwlock write" : flags & 1 ? "spinlock" :
  flags & 2 ? "rwsem read" : flags & 4 ? "rwsem write" : "semaphore";

dtrace:::BEGIN
{
  printf("Measuring waits for locks... Ctrl-C ends it.\n");
}

/* A mutex begins to wait twice: while it spins, and when it sleeps. */
sdt:lock::contention_begin
/is_traced && !self->start/
{
  self->start = timestamp;
  self->lock = arg0;
  self->flags = args[1];
}

sdt:lock::contention_end
/self->start && arg0 == self->lock/
{
  this->us = (timestamp - self->start) / 1000;
  @stacks[owner, kind_of_lock[self->flags], stack(8)] = sum(this->us);
  @waits[owner, kind_of_lock[self->flags]] = count();
  @us[owner, kind_of_lock[self->flags]] = sum(this->us);
  @longest[owner, kind_of_lock[self->flags]] = max(this->us);
  self->start = 0;
  self->lock = 0;
  self->flags = 0;
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@stacks, $top);
  printa(@stacks);
  printf("\n%-16s %-12s %10s %12s %12s\n", $by_container ? "CONTAINER" : "PROGRAM", "LOCK", "WAITS", "TOTAL(us)",
    "LONGEST(us)");
  printa("%-16s %-12s %@10d %@12d %@12d\n", @waits, @us, @longest);
}
