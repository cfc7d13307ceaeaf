BEGIN
{
	printf("%ls", "a");
}
