#!/usr/bin/env -S dscope -s
/* Which code causes disk requests?
 *
 * Bytes by kernel and user stack. Written data has the stack of the kernel thread that writes it back.
 */
#pragma D arg -p -c -n -C -K -d -t
#pragma D option quiet
#pragma D option aggmerge

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  printf("Counting disk requests by stack... Ctrl-C ends it.\n");
}

io:::start
/is_traced/
{
  @[owner, args[0]->b_flags & B_READ ? "read" : "write", stack(), ustack()] = sum(args[0]->b_bcount);
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printa(@);
}
