BEGIN
{
	printf("%a", sym(1));
}
