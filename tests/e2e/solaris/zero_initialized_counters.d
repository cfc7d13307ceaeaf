/* Variables initialized to 0 count nanoseconds, which would overflow 32 bits after four seconds.
 @@options: -x compat=solaris
 @@command: %T/calls getppid 3 */
#pragma D option quiet

BEGIN { total = 0; self->start = 0; began["x"] = 0; }
syscall::getppid:entry /pid == $target/ { self->start = timestamp; began["x"] = timestamp; }
syscall::getppid:return
/self->start/
{
	total += 5000000000;
	wrong = timestamp - self->start > 1000000000 || began["x"] != self->start;
	self->start = 0;
}
END { printf("%d.%03d s, %d\n", total / 1000000000, total / 1000000 % 1000, wrong); }
