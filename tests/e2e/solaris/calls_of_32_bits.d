/* Calls of 32-bit programs, which have other numbers and registers.
 @@options: -x compat=solaris
 @@command: %T/calls32 */
#pragma D option quiet

syscall::open:entry /pid == $target/ { printf("%s %s %d\n", probefunc, copyinstr(arg0), arg1); self->path = arg0; }
syscall::open:return /self->path/ { printf("%d %s\n", (int)arg0, errno == ENOENT ? "ENOENT" : "other"); self->path = 0; }
syscall:::entry /pid == $target/ { @[probefunc] = count(); }
syscall::stat:entry /pid == $target/ { printf("stat?\n"); }
END { printa("%s %@d\n", @); }
