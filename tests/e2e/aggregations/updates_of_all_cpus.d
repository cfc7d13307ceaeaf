/* Updates of all CPUs are combined.
 @@command: %T/calls threads 4 5000 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { @c = count(); @s = sum(2); @u[execname] = count(); @mi = min(7); @ma = max(-7); @av = avg(7); @sd = stddev(3); @q = quantize(6); @l = lquantize(6, 0, 10); @k["q"] = quantize(0); }
