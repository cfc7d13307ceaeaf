BEGIN
{
	trace(&pid);
}
