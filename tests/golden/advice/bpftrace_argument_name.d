syscall::read:entry { trace(args->fd); }
