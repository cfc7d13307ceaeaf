BEGIN
{
	trace(+"x");
}
