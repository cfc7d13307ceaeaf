probe syscall::open:entry { trace(1); }
