/* Calls that a signal interrupts fail with EINTR, as Solaris scripts expect.
 @@options: -x compat=solaris
 @@command: %T/interrupted */
#pragma D option quiet

syscall::pause:return, syscall::nanosleep:return, syscall::read:return
/pid == $target && errno != 0/
{ printf("%s %d %s\n", probefunc, (int)arg0, errno == EINTR ? "EINTR" : "another"); }
