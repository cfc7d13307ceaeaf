BEGIN
{
	printf("%*d", "a", 1);
}
