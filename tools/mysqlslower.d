#!/usr/bin/env -S dscope -s
/* Which MySQL or MariaDB queries take long?
 *
 * US is the time from the arrival of a query until its result was sent. Traces the function of the server that executes
 * commands, so the server needs no static probes, no slow query log and no restart. The text of a prepared statement is in
 * the row of its preparation.
 */
#pragma D arg -p -C -K -T -d
#pragma D arg -m, --min TIME=1ms "only queries that take at least this long"
#pragma D arg -s, --server FILE=mysqld "the program of the server, as in mariadbd"
#pragma D option strsize=512
#pragma D option zdefs
#pragma D option quiet
#pragma D option switchrate=10hz

inline int COM_QUERY = 3;
inline int COM_STMT_PREPARE = 22;
inline int COM_STMT_EXECUTE = 23;

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %7s %-8s %10s %s\n", "PID", "TID", "COMMAND", "US", "QUERY");
}

/* MariaDB: dispatch_command(command, thread, packet, length, ...). The text has no NUL at its end. */
uprobe:$server:_Z16dispatch_command19enum_server_command*:entry
/($target == 0 || progenyof($target)) && ($$container == "" || container == $$container)/
{
  self->command = (int)arg0;
  self->text = arg2;
  self->length = (int)arg3;
}

/* MySQL: dispatch_command(thread, data, command). The data of a query begins with its text and length. */
uprobe:$server:_Z16dispatch_commandP3THDPK8COM_DATA*:entry
/($target == 0 || progenyof($target)) && ($$container == "" || container == $$container)/
{
  self->command = (int)arg2;
  self->text = *(uintptr_t *)copyin(arg1, sizeof(uintptr_t));
  self->length = *(uint32_t *)copyin(arg1 + sizeof(uintptr_t), sizeof(uint32_t));
}

uprobe:$server:_Z16dispatch_command*:entry
/self->command == COM_QUERY || self->command == COM_STMT_PREPARE || self->command == COM_STMT_EXECUTE/
{
  self->query = self->command == COM_STMT_EXECUTE ? "-" : copyinstr(self->text, self->length + 1);
  self->start = timestamp;
}

uprobe:$server:_Z16dispatch_command*:return
/self->start && timestamp - self->start >= $min/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %7d %-8s %10d %s\n", pid, tid,
    self->command == COM_QUERY ? "query" : self->command == COM_STMT_PREPARE ? "prepare" : "execute",
    (timestamp - self->start) / 1000, self->query);
  @queries = count();
}

uprobe:$server:_Z16dispatch_command*:return
{
  self->start = 0;
  self->query = 0;
  self->command = 0;
}

dtrace:::END
{
  printa("%@d queries\n", @queries);
}
