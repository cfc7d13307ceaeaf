#!/usr/bin/env -S dscope -s
/* Where do programs touch new memory?
 *
 * KIND is read, write or exec, and whether the page was missing or protected.
 */
#pragma D arg -p -c -n -C -K -d
#pragma D arg -t N=15
#pragma D option quiet
#pragma D option aggmerge
#pragma D option aggsize=16m
#pragma D option bufsize=64m

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  printf("Counting page faults... Ctrl-C ends it.\n");
}

sdt:exceptions::page_fault_user
/is_traced/
{
  this->access = args[2] & 16 ? "exec" : args[2] & 2 ? "write" : "read";
  @[owner, this->access, ustack(8)] = count();
  @kinds[this->access, args[2] & 1 ? "protected" : "missing"] = count();
  @all = count();
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printa(@);
  if ($$format != "folded")
    printa("%-6s %-10s %@d\n", @kinds);
  printa("%@d page faults\n", @all);
}
