/* A dynvarsize smaller than one element is refused. */
#pragma D option quiet
#pragma D option dynvarsize=4

BEGIN { a[1] = 1; exit(0); }
