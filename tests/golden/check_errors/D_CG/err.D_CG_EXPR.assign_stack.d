BEGIN
{
	x = stack();
	trace(x);
}
