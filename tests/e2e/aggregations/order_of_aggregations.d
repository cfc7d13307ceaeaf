/* Several aggregations print in the order of their first appearance. */
#pragma D option quiet

BEGIN { @z = sum(1); @m = sum(9); @a = sum(0); }
BEGIN { @b = sum(-4); @z = sum(20); exit(0); }
