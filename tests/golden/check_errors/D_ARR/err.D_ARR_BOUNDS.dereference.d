int x[5];
BEGIN
{
	trace(*(x + 5));
}
