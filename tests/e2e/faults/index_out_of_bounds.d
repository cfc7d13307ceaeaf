/* A run-time index outside an array, read and written. */
#pragma D option quiet

int a[4]; int m[2][2];

BEGIN { i = 7; trace(a[i]); }
BEGIN { i = -1; a[i] = 2; }
BEGIN { i = 4; a[i]++; }
BEGIN { i = 2; m[1][i] = 1; }
BEGIN { i = 3; a[i] = 5; trace(a[i]); exit(0); }
ERROR { printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg4, arg5); }
