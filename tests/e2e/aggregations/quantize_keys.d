/* Distributions with keys. */
#pragma D option quiet

BEGIN { @a["k", 1] = quantize(4); @a["j", 2] = quantize(2); @a["k", 1] = quantize(4); exit(0); }
