BEGIN
{
	trace("a" & "b");
}
