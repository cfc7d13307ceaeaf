dscope -qn 'syscall::read:entry /pid == $target && arg2 == 7/ { @[probefunc] = count(); } syscall::read:return /pid == $target && arg1 == 7/ { @b = sum(arg1); }' \
  -c 'dd if=/dev/zero of=/dev/null bs=7 count=3 status=none'
dscope -qn 'syscall::openat:return,syscall::stat:return,syscall::newfstatat:return,syscall::statx:return,syscall::lstat:return /pid == $target && errno == 2/ { trace(errno); exit(0); }' -c 'ls /absent' 2>/dev/null
