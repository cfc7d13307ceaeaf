BEGIN
{
	@a = count();
	1 ? @a : @a;
}
