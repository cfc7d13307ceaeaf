/* User-level names of system calls are accepted. probefunc is the kernel's name. */
#pragma D option quiet

syscall::fstat:entry, syscall::stat:entry, syscall::lstat:entry, syscall::uname:entry, syscall::umount2:entry, syscall::sendfile:entry /0/ { }
syscall::fstat:entry /pid == $target/ { @[probefunc] = count(); }
BEGIN { exit(0); }
