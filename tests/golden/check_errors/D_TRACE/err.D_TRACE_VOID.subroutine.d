BEGIN
{
	trace(copyout(0, 0, 0));
}
