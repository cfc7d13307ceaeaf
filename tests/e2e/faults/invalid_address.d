/* A load through a bad pointer aborts its clause (sample 5). */
#pragma D option quiet

BEGIN { trace(*(int *)64); }
BEGIN { exit(0); }
