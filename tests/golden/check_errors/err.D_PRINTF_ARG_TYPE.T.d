BEGIN
{
	printf("%T", pid);
}
