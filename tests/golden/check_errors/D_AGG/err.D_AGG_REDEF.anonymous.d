BEGIN
{
	@[1] = count();
	@[2] = sum(1);
}
