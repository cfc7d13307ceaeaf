BEGIN
{
	x = "%d";
	printf(x, 1);
}
