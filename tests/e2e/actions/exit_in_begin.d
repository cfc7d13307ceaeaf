/* exit() in BEGIN: no other probe fires, END does. */
#pragma D option quiet

BEGIN { x = 1; exit(0); }
tick-1ms { printf("never\n"); }
END { printf("END %d\n", x); }
