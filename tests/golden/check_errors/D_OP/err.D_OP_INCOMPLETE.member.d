BEGIN
{
	trace(curthread->nothing->x);
}
