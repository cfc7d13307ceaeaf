BEGIN
{
	trace(nosuch`foo);
}
