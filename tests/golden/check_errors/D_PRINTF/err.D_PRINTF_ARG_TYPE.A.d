BEGIN
{
	printf("%A", "a");
}
