BEGIN
{
	trace(curthread == 8);
}
