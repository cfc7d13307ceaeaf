BEGIN
{
	trace("a" - "b");
}
