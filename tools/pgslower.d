#!/usr/bin/env -S dscope -s
/* Which PostgreSQL queries take long?
 *
 * Needs a PostgreSQL that was built with static probes, as Debian's is. Traces all server processes, or -p.
 */
#pragma D arg -p -C -K -T -d
#pragma D arg -m, --min TIME=1ms "only queries that take at least this long"
#pragma D option strsize=512
#pragma D option zdefs
#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %10s %s\n", "PID", "US", "QUERY");
}

postgresql*:::query-start
/($target == 0 || progenyof($target)) && ($$container == "" || container == $$container)/
{
  self->query = copyinstr(arg0);
  self->start = timestamp;
}

postgresql*:::query-done
/self->start && timestamp - self->start >= $min/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %10d %s\n", pid, (timestamp - self->start) / 1000, self->query);
  @queries = count();
}

postgresql*:::query-done
{
  self->start = 0;
  self->query = 0;
}

dtrace:::END
{
  printa("%@d queries\n", @queries);
}
