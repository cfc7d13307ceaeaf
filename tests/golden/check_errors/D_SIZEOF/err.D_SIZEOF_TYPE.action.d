BEGIN
{
	x = sizeof(trace(1));
}
