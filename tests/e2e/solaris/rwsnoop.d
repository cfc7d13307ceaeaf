/* Reads and writes by process, with sizes: one clause matches all calls of that prefix.
 @@options: -x compat=solaris
 @@command: %T/calls write 5 */
#pragma D option quiet

syscall::*read:entry, syscall::*write:entry, syscall::pread*:entry, syscall::pwrite*:entry
/pid == $target/
{
	self->fd = arg0; self->buffer = arg1;
	self->is_io = 1;
}
syscall::*read:return, syscall::pread*:return { self->is_io = 0; }
syscall::*write:return
/self->is_io/
{
	@["one", probefunc, self->fd > 2, arg0] = count();
}
syscall:::return /self->is_io/ { @["all", probefunc, self->fd > 2, arg0] = count(); self->is_io = 0; }
END { printa("%s %s %d %d %@d\n", @); }
