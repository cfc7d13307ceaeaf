syscall::open:entry [pid == 1] { trace(1); }
