/* Calls that Linux has for 32-bit programs only, and that Solaris has too.
 @@options: -x compat=solaris
 @@command: %T/only32 */
#pragma D option quiet

syscall::llseek:entry /pid == $target/ { printf("%s %d %d\n", probefunc, arg1, arg2); }
syscall::lseek:entry /pid == $target/ { printf("%s?\n", probefunc); }
syscall::nice:entry, syscall::stime:entry /pid == $target/ { printf("%s %d\n", probefunc, arg0); }
syscall::getdents:entry /pid == $target/ { printf("%s %d\n", probefunc, arg2); }
syscall::mmap:entry /pid == $target/ { printf("%s %d\n", probefunc, arg5); }
syscall:::entry /pid == $target/ { @[probefunc] = count(); }
END { printa("%s %@d\n", @); }
