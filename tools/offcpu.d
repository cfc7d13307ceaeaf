#!/usr/bin/env -S dscope -s
/* Where do threads wait, and how long?
 *
 * Microseconds by program, state, user and kernel stack. STATE is S for an interruptible and D for an uninterruptible
 * sleep, R if another thread took the CPU. For a flame graph: --format=folded or --report=FILE.html.
 */
#pragma D arg -p -c -n -C -K -d -t
#pragma D arg -m, --min TIME=0s "only waits that take at least this long"
#pragma D option quiet
#pragma D option aggmerge

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  printf("Measuring waits... Ctrl-C ends it.\n");
}

sched:::off-cpu
/pid != 0 && is_traced/
{
  self->start = timestamp;
  this->state = curthread->__state;
  self->state = this->state & 1 ? "S" : this->state & 2 ? "D" : this->state == 0 ? "R" : "?";
}

sched:::on-cpu
/self->start && timestamp - self->start >= $min/
{
  @[owner, self->state, ustack(), stack()] = sum((timestamp - self->start) / 1000);
}

sched:::on-cpu
/self->start/
{
  self->start = 0;
  self->state = 0;
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printa(@);
}
