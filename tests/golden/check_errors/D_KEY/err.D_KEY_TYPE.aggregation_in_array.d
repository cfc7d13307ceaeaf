BEGIN
{
	@b = count();
	a[@b] = 1;
}
