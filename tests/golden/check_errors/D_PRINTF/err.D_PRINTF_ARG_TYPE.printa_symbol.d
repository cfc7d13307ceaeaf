BEGIN
{
	@a[sym(1)] = count();
	printa("%s", @a);
}
