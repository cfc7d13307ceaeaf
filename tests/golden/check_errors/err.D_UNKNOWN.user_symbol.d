BEGIN
{
	trace(``main);
}
