BEGIN
{
	strlen("a", "b");
}
