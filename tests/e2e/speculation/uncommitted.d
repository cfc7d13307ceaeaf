/* Speculations still open at the end of the run are dropped silently. */
#pragma D option quiet
#pragma D option nspec=3
BEGIN { a = speculation(); b = speculation(); c = speculation(); printf("%d %d %d\n", a, b, c); }
BEGIN { speculate(a); printf("a\n"); }
BEGIN { speculate(b); printf("b\n"); }
BEGIN { commit(b); }
BEGIN { exit(0); }
END { printf("end\n"); }
