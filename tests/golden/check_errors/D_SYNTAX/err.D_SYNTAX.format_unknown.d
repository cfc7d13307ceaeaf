BEGIN
{
	printf("%z", 1);
}
