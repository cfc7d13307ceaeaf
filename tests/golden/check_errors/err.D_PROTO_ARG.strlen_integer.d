BEGIN
{
	trace(strlen(pid));
}
