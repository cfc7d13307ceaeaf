/* golden: string */ syscall::read:entry /pid == 1
