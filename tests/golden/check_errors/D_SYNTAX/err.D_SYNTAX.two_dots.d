BEGIN
{
	printf("%1.2.3d", 1);
}
