BEGIN
{
	printf("%1000000000d", 1);
}
