syscall::re[ad:entry { trace(1); }
