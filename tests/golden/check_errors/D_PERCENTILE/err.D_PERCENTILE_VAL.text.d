BEGIN
{
	@a = percentile(1, "p99");
}
