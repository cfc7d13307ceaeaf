/* A call has one name and one argument order in all clauses, and the clauses run in script order.
 @@options: -x compat=solaris
 @@command: %T/calls open /etc/passwd 2 */
#pragma D option quiet

syscall::open:entry /pid == $target && copyinstr(arg0) == "/etc/passwd"/ { self->named = 1; }
syscall:::entry
/self->named/
{
	self->name = probefunc;
	self->path = arg0;
	@entered[probefunc, copyinstr(arg0), arg1 & O_ACCMODE] = count();
}
syscall::open:return /self->named/ { self->is_left = 1; }
syscall:::return
/self->named/
{
	@left[probefunc, probefunc == self->name, self->is_left, copyinstr(self->path)] = count();
	self->named = 0; self->is_left = 0; self->name = 0; self->path = 0;
}
END { printa("%s %s %d %@d\n", @entered); printa("%s %d %d %s %@d\n", @left); }
