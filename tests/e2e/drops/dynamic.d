/* @@options: -x droptags */
#pragma D option quiet
#pragma D option dynvarsize=64

BEGIN { a[1] = 1; a[2] = 2; a[3] = 3; a[4] = 4; }
BEGIN { exit(0); }
