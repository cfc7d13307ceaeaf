BEGIN
{
	printf("%l%", 1);
}
