#!/usr/bin/env -S dscope -s
/* Where does CPU time go, by kernel and user stack?
 *
 * Samples each CPU 97 times a second. For a flame graph: dscope-profile --format=folded > out.folded,
 * or --report=FILE.html.
 */
#pragma D arg -p -c -n -C -K -d -t
#pragma D arg -F, --frequency N=97 "samples per second on each CPU"
#pragma D option quiet
#pragma D option aggmerge

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);
inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  printf("Sampling... Ctrl-C ends it.\n");
}

profile:::profile-$frequency
/pid != 0 && is_traced/
{
  @[owner, stack(), ustack()] = count();
}

dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  printa(@);
}
