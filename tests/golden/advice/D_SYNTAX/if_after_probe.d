syscall::open:entry if (pid == 1) { trace(1); }
