BEGIN
{
	printf("%c", timestamp);
}
