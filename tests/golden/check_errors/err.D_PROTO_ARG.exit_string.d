BEGIN
{
	exit("x");
}
