BEGIN
{
	printf("%.*s", "a", "b");
}
