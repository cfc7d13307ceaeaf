BEGIN
{
	trace(stringof((void)1));
}
