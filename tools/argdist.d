#!/usr/bin/env -S dscope -s
/* Which values does an argument of these functions have?
 *
 * Several of -f, -k and -s may be given. Kernel functions need a kernel with kprobes or fentry.
 * --values counts each value; without it, values are shown as a distribution by powers of two.
 */
#pragma D arg -p -c -n -C -d
#pragma D arg -f, --function NAME "functions of the target process (-p or -c), as in 'str*'"
#pragma D arg -m, --module NAME=a.out "the program or library of --function"
#pragma D arg -k, --kernel NAME "kernel functions, as in 'vfs_*'"
#pragma D arg -s, --syscall NAME "system calls, as in 'open*'"
#pragma D arg -a, --argument N=0 "the argument, counted from 0"
#pragma D arg -r, --return "the value that the functions return"
#pragma D arg -V, --values "count each value"
#pragma D arg -t
#pragma D option quiet

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

this int64_t result;

inline int64_t chosen =
  $argument == 0 ? arg0 : $argument == 1 ? arg1 : $argument == 2 ? arg2 : $argument == 3 ? arg3 : $argument == 4 ? arg4 : arg5;

dtrace:::BEGIN
/$$function == "" && $$kernel == "" && $$syscall == ""/
{
  printf("name what to trace: -f FUNCTION, -k KERNEL-FUNCTION or -s SYSTEM-CALL\n");
  exit(2);
}

pid$target:$module:$function:entry, fbt::$kernel:entry, syscall::$syscall:entry
/!$return && is_traced/
{
  if ($values)
    @values[probefunc, chosen] = count();
  else
    @[probefunc] = quantize(chosen);
}

pid$target:$module:$function:return, fbt::$kernel:return, syscall::$syscall:return
/$return && is_traced/
{
  /* Functions that return an int leave the upper half of the register undefined or 0. */
  this->result = arg1 >> 32 == 0 ? (int)arg1 : (int64_t)arg1;
  if ($values)
    @values[probefunc, this->result] = count();
  else
    @[probefunc] = quantize(this->result);
}

dtrace:::END
{
  if ($values) {
    if ($$format != "folded")
      trunc(@values, $top);
    printf("%-40s %20s %10s\n", "FUNCTION", "VALUE", "COUNT");
    printa("%-40s %20d %@10d\n", @values);
  } else
    printa("\n%s%@d", @);
}
