BEGIN
{
	tracemem("a", 8);
}
