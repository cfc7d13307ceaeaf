/* Distributions with more buckets than a value of a per-CPU BPF map can hold, with keys and without; also after
 * clear() and trunc(). */
#pragma D option quiet

BEGIN
{
	@plain = lquantize(64998, 0, 65000, 1);
	@plain = lquantize(64999, 0, 65000, 1, 2);
	@keyed["a"] = lquantize(7, 0, 40000, 1);
	@keyed["b"] = lquantize(39999, 0, 40000, 1);
	@cleared = llquantize(3, 100, 0, 1, 10000);
	@cleared_keys["c"] = lquantize(300, 0, 5000, 1);
}
BEGIN
{
	printa("%@d\n", @cleared);
	clear(@cleared);
	printa("%@d\n", @cleared);
	clear(@cleared_keys);
	trunc(@keyed, 1);
	exit(0);
}
END { @cleared_keys["c"] = lquantize(4999, 0, 5000, 1); }
