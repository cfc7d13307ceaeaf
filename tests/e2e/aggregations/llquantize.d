/* llquantize(): the bins of the reference example, both signs, overflow. */
#pragma D option quiet

BEGIN { @a = llquantize(320, 10, 0, 5, 5); @a = llquantize(1, 10, 0, 5, 5); @a = llquantize(7, 10, 0, 5, 5); exit(0); }
