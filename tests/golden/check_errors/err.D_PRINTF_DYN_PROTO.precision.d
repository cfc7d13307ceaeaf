BEGIN
{
	printf("%.*d");
}
