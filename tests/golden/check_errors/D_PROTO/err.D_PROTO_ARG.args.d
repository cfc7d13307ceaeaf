syscall::read:entry { trace(args[pid]); }
