BEGIN
{
	trace(1 ? "a" : 2);
}
