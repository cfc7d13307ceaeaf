BEGIN
{
	@a[stack()] = count();
	printa("%a", @a);
}
