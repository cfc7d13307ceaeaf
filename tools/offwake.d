#!/usr/bin/env -S dscope -s
/* Why do threads wait, and which code wakes them?
 *
 * Microseconds of waiting by program and kernel stack, with the program and kernel stack that woke the thread.
 */
#pragma D arg -p -c -n -C -d -t
#pragma D arg -m, --min TIME=0s "only waits that take at least this long"
#pragma D option quiet
#pragma D option aggmerge

inline int is_wanted[pid_t process, string program] =
  ($target == 0 || process == $target) && ($$name == "" || program == $$name);

dtrace:::BEGIN
{
  printf("Measuring waits and wakeups... Ctrl-C ends it.\n");
}

sched:::off-cpu
/pid != 0 && is_wanted[pid, execname] && ($$container == "" || container == $$container)/
{
  started[tid] = timestamp;
}

sched:::wakeup
/started[args[0]->pr_lwpid] && timestamp - started[args[0]->pr_lwpid] >= $min/
{
  @[args[1]->pr_fname, execname, stack()] = sum((timestamp - started[args[0]->pr_lwpid]) / 1000);
  started[args[0]->pr_lwpid] = 0;
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printf("microseconds by waiting program, waking program and its stack:\n");
  printa(@);
}
