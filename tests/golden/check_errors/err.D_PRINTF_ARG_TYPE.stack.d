BEGIN
{
	printf("%d", stack());
}
