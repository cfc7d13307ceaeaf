#!/usr/bin/env -S dscope -s
/* Which files are open now, in which mode, at which offset?
 *
 * With -p, only the files of this process; with -n, of processes with this name.
 */
#pragma D arg -p -n -C -K
#pragma D option quiet

dtrace:::BEGIN
{
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %5s %4s %12s %s\n", "PID", "PROGRAM", "FD", "MODE", "OFFSET", "FILE");
}

iter::task_file:
/($target == 0 || pid == $target) && ($$name == "" || execname == $$name) &&
  ($$container == "" || container == $$container)/
{
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %5d %4s %12d %s\n", pid, execname, args[1],
    (args[2]->f_mode & 3) == 3 ? "rw" : (args[2]->f_mode & 2) != 0 ? "w" : "r", args[2]->f_pos,
    xlate <fileinfo_t *> (args[2])->fi_pathname);
}
