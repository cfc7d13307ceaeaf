/* A dynvarsize too small for one element is rejected. */
#pragma D option quiet
#pragma D option dynvarsize=4

BEGIN { a[1] = 1; exit(0); }
