BEGIN
{
	printf("%5");
}
