/* progenyof() is true for the process itself and its ancestors. */
#pragma D option quiet
BEGIN
{
  printf("%d %d %d %d %d\n", progenyof(pid), progenyof(ppid), progenyof(1), progenyof(0), progenyof(99999999));
  exit(0);
}
