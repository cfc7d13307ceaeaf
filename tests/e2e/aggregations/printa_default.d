/* printa() without a format: a newline, then every element. The aggregation is not printed again at the end. */
#pragma D option quiet

BEGIN { @a["x"] = sum(2); @a["y"] = sum(1); @empty = count(); @q = quantize(1); clear(@empty); }
BEGIN { printa(@a); printa(@a); printa(@q); exit(0); }
