BEGIN
{
	printf("%Y", "x");
}
