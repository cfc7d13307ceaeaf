/* A clause that names a call by its Linux name gets the Linux arguments, in all clauses.
 @@options: -x compat=solaris
 @@command: %T/calls open /etc/passwd 2 */
#pragma D option quiet

syscall::openat:entry
/pid == $target && copyinstr(arg1) == "/etc/passwd"/
{
	self->found = 1;
	@["by its name", probefunc, (int)arg0] = count();
}
syscall::open*:entry /self->found/ { @["by a pattern", probefunc, (int)arg0] = count(); }
syscall:::entry /self->found/ { @["by all", probefunc, (int)arg0] = count(); self->found = 0; }
syscall::open:entry /pid == $target/ { @["other calls", probefunc, 0] = count(); }
syscall::newfstatat:entry, syscall::statx:return /pid == $target/ { @["not of Solaris", "", 0] = count(); }
END { trunc(@, 4); printa("%s %s %d %@d\n", @); }
