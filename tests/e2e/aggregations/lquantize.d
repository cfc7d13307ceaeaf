/* lquantize(): default step, steps that do not divide the range, increments, empty. */
#pragma D option quiet

BEGIN { @a = lquantize(3, 0, 5); @a = lquantize(3, 0, 5); @a = lquantize(1, 0, 5); }
BEGIN { @b = lquantize(95, 0, 100, 30); @b = lquantize(89, 0, 100, 30); @b = lquantize(0, 0, 100, 30); }
BEGIN { @c = lquantize(1, 0, 10, 2, 7); @c = lquantize(3, 0, 10, 2, -7); @d = lquantize(1, 0, 10, 2, 0); exit(0); }
