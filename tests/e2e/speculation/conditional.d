/* speculate() in a branch: later actions are speculative only if the branch ran. */
#pragma D option quiet
BEGIN { a = speculation(); }
BEGIN { a == 1 ? speculate(a) : 0; printf("speculative\n"); }
BEGIN { a == 0 ? speculate(a) : 0; printf("plain\n"); }
BEGIN { if (a == 0) speculate(a); }
BEGIN { if (a == 1) { speculate(a + 1); } printf("never\n"); }
BEGIN { commit(a); }
BEGIN { exit(0); }
