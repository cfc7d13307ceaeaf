BEGIN
{
	printf("%d", curthread);
}
