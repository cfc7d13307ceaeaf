/* Several commits in one clause take effect in the order of the text. Each prints its rows in recorded order. */
#pragma D option quiet
#pragma D option nspec=2
BEGIN { a = speculation(); b = speculation(); }
BEGIN { speculate(a); printf("a1\n"); }
BEGIN { speculate(b); printf("b1\n"); }
BEGIN { speculate(a); printf("a2\n"); }
BEGIN { commit(b); commit(a); }
BEGIN { exit(0); }
