BEGIN
{
	@a = percentile(1, -1);
}
