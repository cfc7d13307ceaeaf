BEGIN
{
	printf("%hhd", 1);
}
