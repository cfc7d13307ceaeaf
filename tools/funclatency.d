#!/usr/bin/env -S dscope -s
/* How long do these functions take?
 *
 * Several of -f, -k and -s may be given. Kernel functions need a kernel with kprobes or fentry.
 * Times include functions that these call, and waiting. Recursive calls count each.
 */
#pragma D arg -p -c -n -d
#pragma D arg -f, --function NAME "functions of the target process (-p or -c), as in 'str*'"
#pragma D arg -m, --module NAME=a.out "the program or library of --function"
#pragma D arg -k, --kernel NAME "kernel functions, as in 'vfs_*'"
#pragma D arg -s, --syscall NAME "system calls, as in 'open*'"
#pragma D arg -i -t
#pragma D option quiet
#pragma D option aggkept

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) && ($$name == "" || execname == $$name);
self int depth;

dtrace:::BEGIN
/$$function == "" && $$kernel == "" && $$syscall == ""/
{
  printf("name what to trace: -f FUNCTION, -k KERNEL-FUNCTION or -s SYSTEM-CALL\n");
  exit(2);
}

pid$target:$module:$function:entry, fbt::$kernel:entry, syscall::$syscall:entry
/is_traced/
{
  self->start[self->depth] = timestamp;
  self->depth++;
}

pid$target:$module:$function:return, fbt::$kernel:return, syscall::$syscall:return
/self->depth > 0/
{
  self->depth--;
  this->ns = timestamp - self->start[self->depth];
  self->start[self->depth] = 0;
  @[probefunc] = quantize(this->ns);
  @calls[probefunc] = count();
  @total[probefunc] = sum(this->ns / 1000);
  @percentiles[probefunc] = percentile(this->ns, 50, 99);
  @longest[probefunc] = max(this->ns);
}

profile:::tick-$interval, dtrace:::END
{
  printa("\n%s, ns%@d", @);
  if ($$format != "folded")
    trunc(@total, $top);
  printf("\n%-40s %12s %10s %10s %10s %12s\n", "FUNCTION", "TOTAL(us)", "CALLS", "P50(ns)", "P99(ns)", "LONGEST(ns)");
  printa("%-40s %@12d %@10d %@10d %@12d\n", @total, @calls, @percentiles, @longest);
  trunc(@);
  trunc(@total);
  trunc(@calls);
  trunc(@percentiles);
  trunc(@longest);
}
