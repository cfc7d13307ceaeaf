BEGIN
{
	printf("%s", (char *)0);
}
