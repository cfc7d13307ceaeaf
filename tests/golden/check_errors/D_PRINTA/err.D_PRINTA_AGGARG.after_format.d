BEGIN
{
	printa("x", 1);
}
