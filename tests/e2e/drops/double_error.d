/* @@options: -x droptags */
#pragma D option quiet

BEGIN { trace(*(int *)64); }
ERROR { trace(*(int *)128); }
BEGIN { exit(0); }
