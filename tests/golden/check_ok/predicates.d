BEGIN /x == 0/ { exit(x++); }
END /y++ == 0/ { exit(y - 1); }
ERROR /!(arg4 == 2) && curthread->parent/ { trace(arg5); }
syscall::read:entry /execname == "cat" || probefunc != "x" && copyinstr(arg1) < "b"/ { }
