BEGIN
{
	@a = count();
	@a[1] = count();
}
