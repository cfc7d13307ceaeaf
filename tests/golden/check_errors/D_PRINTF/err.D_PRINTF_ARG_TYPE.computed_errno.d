BEGIN
{
	printf("%s", errno + 1);
}
