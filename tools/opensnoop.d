#!/usr/bin/env -S dscope -s
/* Print files as they are opened, with the result: the descriptor, or -1 and the error.
 * Usage: dscope-opensnoop [PROGRAM]     only files that PROGRAM opens
 * A program that fails without a message often looks for a file in the wrong place.
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
  printf("%-6s %-16s %4s %-8s %s\n", "PID", "PROGRAM", "FD", "ERR", "PATH");
}

syscall::open:entry
/pid != $pid && ($$1 == "" || execname == $$1)/
{
  self->path = arg0;
}

syscall::openat:entry, syscall::openat2:entry
/pid != $pid && ($$1 == "" || execname == $$1)/
{
  self->path = arg1;
}

/* Read the path at the return: the kernel has read it by then, so it is in memory. */
syscall::open:return, syscall::openat:return, syscall::openat2:return
/self->path/
{
  printf("%-6d %-16s %4d %-8s %s\n", pid, execname, errno != 0 ? -1 : (int)arg0, errno,
    copyinstr(self->path));
  @opened = count();
  @failed = sum(errno != 0);
  self->path = 0;
}

dtrace:::END
{
  printa("%@d files opened, %@d without success\n", @opened, @failed);
}
