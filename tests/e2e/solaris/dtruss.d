/* Calls as truss(1) prints them: one clause saves the arguments of all calls, other clauses print those with
 * paths, and the last clause prints the rest.
 @@options: -x compat=solaris
 @@command: %T/calls open /etc/passwd 2 */
#pragma D option quiet

syscall:::entry
/pid == $target/
{
	self->start = timestamp;
	self->arg0 = arg0; self->arg1 = arg1; self->arg2 = arg2;
}
syscall::open:return, syscall::open64:return, syscall::access:return, syscall::stat*:return, syscall::lstat*:return
/self->start && copyinstr(self->arg0) == "/etc/passwd"/
{
	printf("%s(\"%S\", %d, ...)\t\t = %s\n", probefunc, copyinstr(self->arg0), self->arg1 & O_ACCMODE,
	    (int)arg0 < 0 ? "error" : "file");
}
syscall::open:return, syscall::open64:return, syscall::access:return, syscall::stat*:return, syscall::lstat*:return
/self->start/
{
	self->start = 0; self->arg0 = 0; self->arg1 = 0; self->arg2 = 0;
}
syscall:::return
/self->start && (probefunc == "openat" || probefunc == "open" || probefunc == "newfstatat" || probefunc == "stat")/
{
	printf("%s(0x%X, ...) is left over\n", probefunc, self->arg0);
}
syscall:::return /self->start/ { self->start = 0; self->arg0 = 0; self->arg1 = 0; self->arg2 = 0; }
