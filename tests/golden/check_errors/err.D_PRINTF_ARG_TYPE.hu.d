BEGIN
{
	printf("%hu", pid);
}
