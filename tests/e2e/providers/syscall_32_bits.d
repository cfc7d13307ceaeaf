/* System calls of 32-bit programs have the names of the corresponding 64-bit calls.
 @@command: %T/calls32 */
#pragma D option quiet

syscall::getppid:entry, syscall::write:entry, syscall::write:return /execname == "calls32"/ { @[probefunc, probename] = count(); }
syscall::open:entry /execname == "calls32"/ { self->path = arg0; @args[arg1, arg0 < 0x100000000] = count(); }
syscall::open:return /execname == "calls32"/ { printf("%s %d\n", copyinstr(self->path), errno == ENOENT); }
syscall::exit:entry /execname == "calls32"/ { printf("exit %d\n", arg0); }
syscall::read:entry, syscall::stat:entry, syscall::close:entry /execname == "calls32"/ { printf("%s?\n", probefunc); }
sysinfo:::syswrite /execname == "calls32"/ { @sum = sum(arg0); }
