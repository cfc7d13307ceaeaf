BEGIN
{
	trace("x" ? 1 : 2);
}
