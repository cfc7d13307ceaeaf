/* Opened files by process, with the arguments of the old open(2), whichever call opens the file.
 @@options: -x compat=solaris
 @@command: %T/calls open /etc/passwd 2 */
#pragma D option quiet
#pragma D option switchrate=10hz

syscall::open:entry, syscall::open64:entry
/pid == $target/
{
	self->path = copyinstr(arg0);
	self->flags = arg1;
}
syscall::open:return
/self->path != 0/
{
	printf("%-8s %2d %3d %s\n", execname, self->flags & O_ACCMODE, (int)arg0 < 0 ? -1 : errno, self->path);
	self->path = 0;
}
