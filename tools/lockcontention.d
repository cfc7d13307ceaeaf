#!/usr/bin/env -S dscope -s
/* Which locks of the kernel do threads wait for?
 *
 * LOCK is the kind; the stack shows which code waited. Times in microseconds.
 */
#pragma D arg -p -c -n -d -t
#pragma D option quiet
#pragma D option aggmerge

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) && ($$name == "" || execname == $$name);

inline string kind_of_lock[int flags] =
  flags & 1 ? "spin" : flags & 2 ? "read" : flags & 4 ? "write" : flags & 32 ? "mutex" : "semaphore";

dtrace:::BEGIN
{
  printf("Measuring waits for locks... Ctrl-C ends it.\n");
}

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
  @us[execname, kind_of_lock[self->flags], stack(8)] = sum(this->us);
  @total = sum(this->us);
  @waits = count();
  self->start = 0;
  self->lock = 0;
  self->flags = 0;
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@us, $top);
  printf("microseconds by program, lock and stack:\n");
  printa(@us);
  printa("%@d waits, %@d us\n", @waits, @total);
}
