BEGIN
{
	trace(index("a", "b", 0, 1));
}
