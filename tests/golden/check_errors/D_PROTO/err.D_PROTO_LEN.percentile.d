BEGIN
{
	@a = percentile(1);
}
