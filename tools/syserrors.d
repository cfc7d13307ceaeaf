#!/usr/bin/env -S dscope -s
/* Which system calls fail, in which programs, with which errors?
 */
#pragma D arg -p -c -n -C -K -d -i -t
#pragma D option quiet
#pragma D option metric="@ name=dscope_syserrors keys=owner,syscall,errno help=System calls that failed"

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  printf("Counting failed system calls... Ctrl-C ends it.\n");
}

syscall:::return
/errno != 0 && is_traced/
{
  @[owner, probefunc, errno] = count();
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printf("\n%-16s %-20s %-16s %8s\n", $by_container ? "CONTAINER" : "PROGRAM", "CALL", "ERROR", "COUNT");
  printa("%-16s %-20s %-16s %@8d\n", @);
  trunc(@);
}
