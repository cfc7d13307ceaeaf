/* A fault in an ERROR clause is counted, not reported. Other ERROR clauses run. */
#pragma D option quiet

BEGIN { trace(*(int *)64); }
BEGIN { exit(0); }
ERROR { trace(*(int *)8); }
ERROR { printf("second\n"); }
