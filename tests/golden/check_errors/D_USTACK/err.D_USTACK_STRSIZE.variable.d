BEGIN
{
	ustack(1, pid);
}
