BEGIN
{
	@a[sym(1)] = count();
	@a[usym(1)] = count();
}
