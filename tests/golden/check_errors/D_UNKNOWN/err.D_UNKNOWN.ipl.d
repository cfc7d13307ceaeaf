BEGIN
{
	trace(ipl);
}
