/* golden: string */ syscall::nosuch:entry { exit(1); }
