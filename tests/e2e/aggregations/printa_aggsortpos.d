/* aggsortpos selects the aggregation whose values determine the order of a printa() of several aggregations. */
#pragma D option quiet
#pragma D option aggsortpos=1

BEGIN { @a[1] = sum(5); @a[2] = sum(6); @b[1] = sum(9); @b[2] = sum(8); }
BEGIN { printa("%d %@d %@d\n", @a, @b); exit(0); }
