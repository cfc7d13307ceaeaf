BEGIN
{
	trace(*pid);
}
