/* copyinstr() and copyin() of bad addresses and sizes. */
#pragma D option quiet

BEGIN { trace(copyinstr(0)); }
BEGIN { trace(copyinstr(1234)); }
BEGIN { p = copyin(8, 8); }
BEGIN { n = -1; p = copyin(8, n); }
BEGIN { n = 10000; p = copyin(8, n); }
BEGIN { exit(0); }
ERROR { printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg4, arg5); }
