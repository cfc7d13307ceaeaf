BEGIN
{
	@a = count();
	@a++;
}
