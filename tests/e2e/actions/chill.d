/* @@options: -w
 * chill() waits, but at most half a second in each second of a CPU. */
#pragma D option quiet

BEGIN { before = timestamp; chill(20000000); }
BEGIN { printf("%s\n", timestamp - before >= 20000000 ? "waited" : "did not wait"); }
BEGIN { chill(500000001); printf("not reached\n"); }
BEGIN { chill(-1); printf("not reached\n"); }
BEGIN { chill(0); printf("done\n"); exit(0); }
