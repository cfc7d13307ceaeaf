BEGIN
{
	printf("%a", "a");
}
