BEGIN
{
	printf("%Lf", 1);
}
