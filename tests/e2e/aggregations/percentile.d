/* percentile(): columns, keys on all CPUs, values of both signs, percentiles of distributions. */
#pragma D option quiet

BEGIN
{
	@latency["unsigned"] = percentile((uint64_t)1, 50, 95, "99.9");
	@latency["unsigned"] = percentile((uint64_t)1, 50, 95, "99.9");
	@latency["unsigned"] = percentile((uint64_t)64, 50, 95, "99.9");
	@latency["signed"] = percentile(-1000000, 50, 95, "99.9");
	@latency["signed"] = percentile(0, 50, 95, "99.9");
	@only = percentile(12345, 50);
	@powers = quantize(100);
	@powers = quantize(5000);
	printa(@latency);
	printa("%s: %@5d; %@p0d %@p100d\n", @latency);
	printa("%@p50d %@p100d\n", @powers);
	normalize(@only, 1000);
	exit(0);
}
