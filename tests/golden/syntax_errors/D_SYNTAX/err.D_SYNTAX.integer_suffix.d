BEGIN
{
	trace(1LU);
}
