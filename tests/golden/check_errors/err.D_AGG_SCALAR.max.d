BEGIN
{
	@a = max("x");
}
