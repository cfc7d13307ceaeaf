BEGIN
{
	printf("%llx", pid);
}
