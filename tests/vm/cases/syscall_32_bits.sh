# System calls that exist only for 32-bit programs, and arguments in two registers.
dscope -qn 'syscall::socketcall:entry /pid == $target/ { printf("%s %d\n", probefunc, args[1][0]); }
  syscall::_llseek:return /pid == $target/ { printf("%s %d\n", probefunc, errno); }
  syscall::fallocate:entry /pid == $target/ { printf("%d %d\n", args[2], args[3]); }
  syscall:::entry /pid == $target/ { @[probefunc, arg1] = count(); }' -c /bin/only32 | head -n 3
