/* System calls that only 32-bit programs make have their own names. An argument in two registers is one argument.
 @@command: %T/only32 */
#pragma D option quiet

syscall:::entry /pid == $target/ { printf("%s\n", probefunc); }
syscall::socketcall:entry /pid == $target/ { printf("  %d of %d %d\n", args[0], args[1][0], args[1][1]); }
syscall::socketcall:return /pid == $target/ { printf("  descriptor: %d\n", arg1 > 2); }
syscall::ipc:entry /pid == $target/ { printf("  %d %d %d %d %d\n", args[0], args[1], args[2], args[3], args[5]); }
syscall::ipc:return, syscall::_llseek:return /pid == $target/ { printf("  %d\n", errno); }
syscall::_llseek:entry /pid == $target/ { printf("  %d %d %d\n", args[1], args[2], args[4]); }
syscall::lseek:entry /pid == $target/ { printf("  %d %d\n", args[1], args[2]); }
syscall::fallocate:entry /pid == $target/ { printf("  %d %d\n", args[2], args[3]); }
syscall::pread:entry /pid == $target/ { printf("  %d %d\n", args[2], args[3]); }
syscall::statfs64:entry /pid == $target/ { printf("  %s\n", copyinstr(arg0)); self->result = arg1; }
syscall::statfs64:return /self->result/ { printf("  a type: %d\n", *(uint32_t *)copyin(self->result, 4) != 0); }
syscall::clone:entry /pid == $target/ { printf("  %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4); }
syscall::mmap2:entry /pid == $target/ { printf("  %d %d\n", args[1], args[5]); }
syscall::readdir:entry /pid == $target/ { printf("  %d\n", args[2]); }
