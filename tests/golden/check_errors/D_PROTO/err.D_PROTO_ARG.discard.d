BEGIN
{
	discard("x");
}
