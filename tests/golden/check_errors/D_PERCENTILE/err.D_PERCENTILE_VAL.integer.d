BEGIN
{
	@a = percentile(1, 50, 999);
}
