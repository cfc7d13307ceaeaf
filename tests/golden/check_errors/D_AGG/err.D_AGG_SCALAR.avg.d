BEGIN
{
	@a = avg("x");
}
