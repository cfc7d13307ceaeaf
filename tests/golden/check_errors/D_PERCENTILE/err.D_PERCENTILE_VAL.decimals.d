BEGIN
{
	@a = percentile(1, "99.9999");
}
