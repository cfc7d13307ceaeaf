BEGIN
{
	@a = percentile(1, pid);
}
