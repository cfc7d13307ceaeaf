syscall::read:entry { trace(args->descriptor); }
