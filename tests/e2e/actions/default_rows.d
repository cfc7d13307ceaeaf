/* Which clauses print rows: default action, actions, but neither assignments nor aggregations. */

BEGIN { }
BEGIN { n = 1; }
BEGIN { n++; self->x = 2; }
BEGIN { @a = count(); @b[1] = sum(2); }
BEGIN { printf("text"); }
BEGIN { printf("line\n"); }
BEGIN { clear(@a); }
BEGIN /0/ { printf("never"); }
BEGIN { n = 2; trace(n); n = 3; }
BEGIN { exit(0); }
BEGIN { printf("not reached"); }
END { }
