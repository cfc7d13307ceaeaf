BEGIN
{
	trace(pid % (1 - 1));
}
