/* Clauses of one probe run in source order. A clause runs twice for a probe that it lists twice. */
#pragma D option quiet

BEGIN { printf("1\n"); }
BEGIN, BEGIN { printf("2\n"); }
END { printf("end 1\n"); }
BEGIN { printf("3\n"); exit(0); printf("3 too\n"); }
BEGIN { printf("4\n"); }
END, :::END { printf("end 2\n"); }
