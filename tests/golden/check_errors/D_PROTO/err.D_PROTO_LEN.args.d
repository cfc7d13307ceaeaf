syscall::read:entry { trace(args[0, 1]); }
