#!/usr/bin/env -S dscope -s
/* Which file systems are mounted and unmounted, by whom?
 */
#pragma D arg -p -c -n -C -K -T -x -d
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %-7s %-8s %-8s %s\n", "PID", "PROGRAM", "CALL", "ERR", "TYPE", "SOURCE AND TARGET");
}

syscall::mount:entry
/is_traced/
{
  self->source = arg0;
  self->target = arg1;
  self->type = arg2;
}

syscall::umount2:entry, syscall::umount:entry
/is_traced/
{
  self->target = arg0;
}

syscall::mount:return, syscall::umount2:return, syscall::umount:return
/self->target && (!$errors || errno != 0)/
{
  this->target = copyinstr(self->target);
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %-7s %-8s %-8s %s\n", pid, execname, probefunc, errno,
    self->type ? copyinstr(self->type) : "-",
    self->source ? strjoin(copyinstr(self->source), strjoin(" -> ", this->target)) : this->target);
  @calls = count();
}

syscall::mount:return, syscall::umount2:return, syscall::umount:return
{
  self->source = 0;
  self->target = 0;
  self->type = 0;
}

dtrace:::END
{
  printa("%@d calls\n", @calls);
}
