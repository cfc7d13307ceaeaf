BEGIN
{
	printf("%lc", timestamp);
}
