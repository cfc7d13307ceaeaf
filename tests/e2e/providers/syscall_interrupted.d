/* errno shows how the kernel continues a call that a signal interrupted.
 @@command: %T/interrupted */
#pragma D option quiet

syscall::pause:return, syscall::nanosleep:return, syscall::clock_nanosleep:return, syscall::read:return
/pid == $target && errno != 0/
{ printf("%s %d\n", probefunc, errno); }
