BEGIN
{
	trace(1]);
}
