/* clear() keeps the keys, trunc() removes elements: all, all but the n largest, all but the n smallest. */
#pragma D option quiet

BEGIN { @a["x"] = sum(1); @b[1] = sum(1); @b[2] = sum(2); @b[3] = sum(3); @d[1] = sum(1); @d[2] = sum(2); @d[3] = sum(3); @e["gone"] = count(); @m = min(4); @q = quantize(3); }
BEGIN { clear(@a); printa("%s %@d\n", @a); }
BEGIN { trunc(@b, 2); printa("%d %@d\n", @b); printf("-\n"); trunc(@d, -1); printa("%d %@d\n", @d); trunc(@e); printa("never\n", @e); clear(@q); printa(@q); exit(0); }
END { clear(@m); printa("%@d\n", @m); }
