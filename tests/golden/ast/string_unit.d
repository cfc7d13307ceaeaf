/* golden: string args 77 -5 pid libc.so two\040words */
BEGIN END
pid_t, int*x, pid$1:$4::entry
syscall:::entry /$2 < $1 - $2/ { trace($3); trace($$1); trace($5); }
