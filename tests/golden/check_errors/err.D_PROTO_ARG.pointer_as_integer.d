BEGIN
{
	trace(copyinstr(curthread));
}
