/* printa() of several aggregations: one line per key, zero for a missing element (sample 7). */
#pragma D option quiet

BEGIN { @a[1] = sum(5); @b[2] = sum(7); @c[1] = count(); }
BEGIN { printa("%d %@d %@d\n", @a, @b); printa(@a, @b, @c); printa("%d %@d %@d %@d\n", @a, @a, @c); exit(0); }
