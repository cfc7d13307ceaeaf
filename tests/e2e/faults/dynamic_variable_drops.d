/* A store without space for a new element is dropped and counted. The rest of its clause does not run. */
#pragma D option quiet
#pragma D option dynvarsize=64

BEGIN { a[1] = 1; n++; a[2] = 1; n++; a[3] = 1; n++; a[4] = 1; n++; a[5] = 1; n++; }
BEGIN { printf("%d\n", n < 5); exit(0); }
