/* Actions in one branch of an `if` neither precede nor follow actions in the other branch. */
#pragma D option quiet
#pragma D option nspec=4

int i, j;

BEGIN { i = speculation(); j = speculation(); }
BEGIN { if (i == 1) { speculate(i); printf("of one\n"); } else { @counts["not"] = count(); printf("no\n"); } }
BEGIN { if (i == 5) { printf("no\n"); } else { speculate(j); printf("of two\n"); } }
BEGIN { if (i == 5) { speculate(j); } else { speculate(i); } printf("of one again\n"); }
BEGIN { printf("first\n"); if (i == 1) { commit(i); } else { discard(i); } @counts["ended"] = count(); }
BEGIN { if (j == 5) { trace("no"); } else { commit(j); } }
BEGIN { printa("%s %@d\n", @counts); exit(0); }
