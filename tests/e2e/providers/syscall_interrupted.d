/* How the kernel goes on with calls that a signal interrupts is seen in errno.
 @@command: %T/interrupted */
#pragma D option quiet

syscall::pause:return, syscall::nanosleep:return, syscall::clock_nanosleep:return, syscall::read:return
/pid == $target && errno != 0/
{ printf("%s %d\n", probefunc, errno); }
