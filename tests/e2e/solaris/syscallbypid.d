/* System calls by process, and failed calls, as in many scripts.
 @@options: -x compat=solaris
 @@command: %T/calls open /nonexistent 3 */
#pragma D option quiet

syscall::open*:return /pid == $target && errno != 0/ { @errors[execname, probefunc, errno] = count(); }
syscall::open:return /pid == $target && (int)arg0 == -1/ { @failed[errno == ENOENT] = count(); }
syscall::rexit:entry /pid == $target/ { printf("rexit %d\n", arg0); }
END { printa("%s %s %d %@d\n", @errors); printa("%d %@d\n", @failed); }
