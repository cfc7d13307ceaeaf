BEGIN
{
	trace(sizeof(nosuch));
}
