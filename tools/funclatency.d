#!/usr/bin/env -S dscope -s
/* How long do these functions take?
 *
 * Several of -f, -k and -s may be given. Kernel functions need a kernel with kprobes or fentry.
 * Times include functions that these call, and waiting. Recursive calls count each.
 */
#pragma D arg -p -c -n -C -d
#pragma D arg -f, --function NAME "functions of the target process (-p or -c), as in 'str*'"
#pragma D arg -m, --module NAME=a.out "the program or library of --function"
#pragma D arg -k, --kernel NAME "kernel functions, as in 'vfs_*'"
#pragma D arg -s, --syscall NAME "system calls, as in 'open*'"
#pragma D arg -i -t
#pragma D option quiet
#pragma D option aggkept

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
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
  @total[probefunc] = sum(this->ns);
  @percentiles[probefunc] = percentile(this->ns, 50, 99);
  @longest[probefunc] = max(this->ns);
}

profile:::tick-$interval, dtrace:::END
{
  printa("\n%s, ns%@d", @);
  if ($$format != "folded")
    trunc(@total, $top);
  normalize(@total, 1000);
  printf("\n%-28s %11s %7s %9s %9s %11s\n", "FUNCTION", "TOTAL(us)", "CALLS", "P50(ns)", "P99(ns)", "LONGEST(ns)");
  printa("%-28s %@11d %@7d %@9d %@11d\n", @total, @calls, @percentiles, @longest);
  trunc(@);
  trunc(@total);
  trunc(@calls);
  trunc(@percentiles);
  trunc(@longest);
}
