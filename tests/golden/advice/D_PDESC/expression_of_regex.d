syscall::open.*:entry { }
