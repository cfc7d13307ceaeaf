BEGIN
{
	freopen("x", 1);
}
