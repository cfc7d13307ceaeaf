/* normalize() divides the printed values, denormalize() reverts that. The data are unchanged. */
#pragma D option quiet

BEGIN { @a["k"] = sum(1000); @n = sum(-10); @v = avg(100); @v = avg(200); @q = quantize(4, 50); @c = count(); }
BEGIN { normalize(@a, 10); printa("%s %@d\n", @a); denormalize(@a); printa("%s %@d\n", @a); }
BEGIN { normalize(@n, 3); printa("%@d\n", @n); x = 5; normalize(@v, x); printa("%@d\n", @v); normalize(@q, 10); printa(@q); }
BEGIN { normalize(@c, 1); exit(0); }
END { normalize(@a, 3); }
