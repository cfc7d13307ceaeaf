/* ERROR gets probe id, clause number, fault code and value. Later clauses run. Earlier data of the clause are lost. */
#pragma D option quiet

BEGIN { printf("first\n"); }
BEGIN { printf("lost\n"); x = 1; trace(*(int *)64); x = 2; }
BEGIN { printf("%d\n", x); exit(0); }
ERROR { printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg4, arg5); }
