/* A fault in a speculating clause drops what the clause recorded. */
#pragma D option quiet
BEGIN { a = speculation(); }
BEGIN { speculate(a); printf("kept\n"); }
BEGIN { speculate(a); printf("lost\n"); trace(*(int *)8); }
BEGIN { commit(a); }
BEGIN { exit(0); }
