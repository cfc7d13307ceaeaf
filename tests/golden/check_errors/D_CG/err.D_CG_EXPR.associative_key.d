BEGIN
{
	a[sym(1)] = 1;
}
