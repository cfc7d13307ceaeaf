/* exit() in an ERROR clause ends the run. */
#pragma D option quiet

BEGIN { trace(*(int *)64); }
ERROR { exit(9); }
BEGIN { printf("not after exit\n"); }
END { printf("end\n"); }
