/* Distributions with keys, normalized. */
#pragma D option quiet

BEGIN { @["a"] = lquantize(5, 0, 10, 5, 100); @["b"] = lquantize(-1, 0, 10, 5, 10); normalize(@, 10); exit(0); }
