/* The fourth worked sample: lquantize() with both end buckets, and both signs. */
#pragma D option quiet

BEGIN { @l = lquantize(-20, -10, 10, 5); @l = lquantize(10, -10, 10, 5);
  @q = quantize(-1, -123); @q = quantize(0, -123); @q = quantize(1, 246); exit(0); }
