#!/usr/bin/env -S dscope -s
/* How often are these functions called?
 *
 * Several of -f, -k and -s may be given. Kernel functions need a kernel with kprobes or fentry.
 */
#pragma D arg -p -c -n -C -d
#pragma D arg -f, --function NAME "functions of the target process (-p or -c), as in 'str*'"
#pragma D arg -m, --module NAME=a.out "the program or library of --function"
#pragma D arg -k, --kernel NAME "kernel functions, as in 'vfs_*'"
#pragma D arg -s, --syscall NAME "system calls, as in 'open*'"
#pragma D arg -i -t
#pragma D option quiet

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

dtrace:::BEGIN
/$$function == "" && $$kernel == "" && $$syscall == ""/
{
  printf("name what to trace: -f FUNCTION, -k KERNEL-FUNCTION or -s SYSTEM-CALL\n");
  exit(2);
}

pid$target:$module:$function:entry, fbt::$kernel:entry, syscall::$syscall:entry
/is_traced/
{
  @[probefunc] = count();
  @all = count();
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printf("\n%-56s %12s\n", "FUNCTION", "CALLS");
  printa("%-56s %@12d\n", @);
  printa("%@d calls\n", @all);
  trunc(@);
  clear(@all);
}
