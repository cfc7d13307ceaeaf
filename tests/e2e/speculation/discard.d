/* Discarded rows never appear. The id can be reused at once. */
#pragma D option quiet
BEGIN { a = speculation(); }
BEGIN { speculate(a); printf("first\n"); }
BEGIN { discard(a); b = speculation(); printf("%d\n", b); }
BEGIN { speculate(b); printf("second\n"); }
BEGIN { commit(b); }
BEGIN { exit(0); }
