/* A fault in a predicate, in a key, in an argument of an aggregating function. */
#pragma D option quiet

int zero;

BEGIN /1 \
  && *(int *)64/ { printf("never\n"); }
BEGIN { @a[*(int *)64] = count(); }
BEGIN { @b = sum(1 / zero); }
BEGIN { c[*(int *)64] = 1; }
BEGIN { @d = count(); n = *(int *)64; @d = count(); }
BEGIN { printa("never\n", @a); printa("%@d\n", @d); exit(0); }
ERROR { printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg4, arg5); }
