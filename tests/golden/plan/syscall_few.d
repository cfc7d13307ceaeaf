/* All system calls of one direction share a program. Each call has its own clause list. */
syscall::read:entry, syscall::write:entry { trace(arg0); }
syscall::read:entry { trace(1); }
syscall::read:return { trace(arg1); }
