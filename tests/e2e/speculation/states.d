/* Without an active speculation, speculate() ends the clause, and commit() and discard() do nothing or fault. */
#pragma D option quiet
BEGIN { spec = speculation(); printf("%d\n", spec); }
BEGIN { printf("%d\n", speculation()); }
BEGIN { speculate(0); x = 1; printf("never\n"); }
BEGIN { speculate(2); x = 2; printf("never\n"); }
BEGIN { speculate(-1); x = 3; printf("never\n"); }
BEGIN { commit(0); discard(0); x++; }
BEGIN { commit(2); x = 4; }
BEGIN { commit(-1); x = 5; }
BEGIN { discard(2); x = 6; }
BEGIN { speculate(spec); printf("committed\n"); }
BEGIN { commit(spec); }
BEGIN { speculate(spec); x = 7; }
BEGIN { printf("%d\n", speculation()); }
BEGIN { commit(spec); discard(spec); }
BEGIN { printf("%d\n", x); }
BEGIN { exit(0); }
END { printf("%d\n", speculation()); }
