#!/usr/bin/env -S dscope -s
/* List the files that are open now, with the mode and the offset in the file.
 * Usage: dscope-openfiles [PROGRAM]
 * With PROGRAM, only the files of processes with this name are listed.
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
  printf("%7s %-16s %5s %4s %12s %s\n", "PID", "PROGRAM", "FD", "MODE", "OFFSET", "FILE");
}

iter::task_file:
/$$1 == "" || execname == $$1/
{
  printf("%7d %-16s %5d %4s %12d %s\n", pid, execname, args[1],
    (args[2]->f_mode & 3) == 3 ? "rw" : (args[2]->f_mode & 2) != 0 ? "w" : "r", args[2]->f_pos,
    xlate <fileinfo_t *> (args[2])->fi_pathname);
}
