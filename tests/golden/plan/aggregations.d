/* Every aggregating function, without and with keys. */
BEGIN
{
	@count = count();
	@sum = sum(1);
	@avg = avg(1);
	@min = min(1);
	@max = max(-1);
	@stddev = stddev(1);
	@quantize = quantize(1);
	@lquantize = lquantize(1, 0, 100, 10);
	@llquantize = llquantize(1, 10, 0, 3, 10);
	@min_of[pid] = min(1);
	@quantize_of[pid] = quantize(1);
}
