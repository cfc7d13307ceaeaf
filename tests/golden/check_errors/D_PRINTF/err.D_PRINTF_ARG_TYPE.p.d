BEGIN
{
	printf("%p", "a");
}
