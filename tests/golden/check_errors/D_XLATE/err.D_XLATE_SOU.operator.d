BEGIN
{
	trace(xlate <int> (curthread));
}
