BEGIN
{
	printf("%hd", pid);
}
