/* System calls of 32-bit programs have the names of the corresponding 64-bit calls.
 @@command: %T/calls32 */
#pragma D option quiet

syscall::getppid:entry, syscall::write:entry, syscall::write:return /pid == $target/ { @[probefunc, probename] = count(); }
syscall::open:entry /pid == $target/ { self->path = arg0; @args[arg1, arg0 < 0x100000000] = count(); }
syscall::open:return /pid == $target/ { printf("%s %d\n", copyinstr(self->path), errno == ENOENT); }
syscall::exit:entry /pid == $target/ { printf("exit %d\n", arg0); }
syscall::read:entry, syscall::stat:entry, syscall::close:entry /pid == $target/ { printf("%s?\n", probefunc); }
sysinfo:::syswrite /pid == $target/ { @sum = sum(arg0); }
