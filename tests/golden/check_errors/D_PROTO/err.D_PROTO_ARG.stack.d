BEGIN
{
	stack("x");
}
