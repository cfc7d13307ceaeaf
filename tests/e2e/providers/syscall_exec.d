/* execname changes with exec, pid does not.
 @@command: %T/calls exec /bin/true */
#pragma D option quiet

syscall::execve:entry /pid == $target/ { printf("%s %s\n", execname, copyinstr(arg0)); }
syscall::execve:return /pid == $target/ { printf("%s %d\n", execname, arg0); }
