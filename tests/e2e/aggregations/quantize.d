/* quantize(): positive, negative, zero, extremes, increments. */
#pragma D option quiet

BEGIN { @a = quantize(5); @a = quantize(5); @a = quantize(300); }
BEGIN { @b = quantize(-5); @b = quantize(0); @b = quantize(1); @b = quantize(-1); }
BEGIN { @c = quantize(9223372036854775807); @d = quantize(-9223372036854775807 - 1); @e = quantize(4, 10); @e = quantize(8, -10); @f = quantize(1, -3); @g = quantize(3, 0); exit(0); }
