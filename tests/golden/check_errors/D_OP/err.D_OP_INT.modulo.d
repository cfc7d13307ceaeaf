BEGIN
{
	trace(curthread % 2);
}
