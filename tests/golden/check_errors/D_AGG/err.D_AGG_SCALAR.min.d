BEGIN
{
	@a = min("x");
}
