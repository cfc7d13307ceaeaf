BEGIN
{
	printf("%ld", pid);
}
