BEGIN
{
	trace(sizeof(void));
}
