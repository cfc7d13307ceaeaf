/* Requests for file attributes, by process.
 @@options: -x compat=solaris
 @@command: /bin/ls -d /etc */
#pragma D option quiet

syscall::stat:entry, syscall::lstat:entry, syscall::stat64:entry, syscall::lstat64:entry
/pid == $target && copyinstr(arg0) == "/etc"/
{
	found = 1;
}
END { printf("%d\n", found); }
