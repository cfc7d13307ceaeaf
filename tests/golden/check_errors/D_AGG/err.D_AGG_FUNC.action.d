BEGIN
{
	@a = trace(0);
}
