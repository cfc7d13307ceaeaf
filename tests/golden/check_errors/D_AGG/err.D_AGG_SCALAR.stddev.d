BEGIN
{
	@a = stddev("x");
}
