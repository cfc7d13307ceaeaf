# A kernel variable that the timer interrupt writes.
dscope -qn 'watch:vmlinux:jiffies_64:w8 { n++; } watch:vmlinux:jiffies_64:w8 /n == 3/ { printf("%d\n", arg0 == (uintptr_t)&`jiffies_64); exit(0); }
  tick-5s { exit(1); }'
