/* llquantize(): values below the low magnitude, above the high magnitude, and negative values. */
#pragma D option quiet

BEGIN { @a = llquantize(50, 10, 2, 3, 10); @a = llquantize(250, 10, 2, 3, 10); @b = llquantize(-250, 10, 2, 3, 10); @b = llquantize(0, 10, 2, 3, 10);
  @c = llquantize(99999, 10, 2, 3, 10); exit(0); }
