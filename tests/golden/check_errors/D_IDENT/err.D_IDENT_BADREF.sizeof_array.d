BEGIN
{
	a[1] = 2;
	trace(sizeof(a));
}
