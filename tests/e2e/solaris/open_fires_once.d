/* Scripts name every call that can open a file, and expect one firing per open.
 @@options: -x compat=solaris
 @@command: %T/calls open /etc/passwd 3 */
#pragma D option quiet

syscall::open:entry, syscall::open64:entry, syscall::openat:entry
/pid == $target && copyinstr(arg0) == "/etc/passwd"/
{
	@entries[probefunc] = count();
}
syscall::open*:return /pid == $target/ { @returns[probefunc, arg0 > 0 ? "file" : "error"] = count(); }
END { printa("%s %@d\n", @entries); printa("%s %s %@d\n", @returns); }
