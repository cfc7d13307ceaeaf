#!/usr/bin/env -S dscope -s
/* Which programs transfer how much from and to which files on disk?
 */
#pragma D arg -n -C -K -d -i
#pragma D arg -t N=30
#pragma D option quiet
#pragma D option aggkept

inline string owner = $by_container ? container : execname;

dtrace:::BEGIN
{
  printf("Counting disk requests... Ctrl-C ends it.\n");
}

io:::start
/($$name == "" || execname == $$name) && ($$container == "" || container == $$container)/
{
  @requests[owner, args[0]->b_flags & B_READ ? "R" : "W", args[2]->fi_pathname] = count();
  @[owner, args[0]->b_flags & B_READ ? "R" : "W", args[2]->fi_pathname] = sum(args[0]->b_bcount);
}

profile:::tick-$interval, dtrace:::END
{
  if ($$format != "folded")
    trunc(@, $top);
  normalize(@, 1024);
  printf("\n%-16s %1s %10s %10s %s\n", $by_container ? "CONTAINER" : "PROGRAM", "D", "KiB", "REQUESTS", "FILE");
  printa("%-16s %1s %@10d %@10d %s\n", @, @requests);
  trunc(@);
  trunc(@requests);
}
