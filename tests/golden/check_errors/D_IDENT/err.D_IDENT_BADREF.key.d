BEGIN
{
	x[1] = 1;
	@a[x] = count();
}
