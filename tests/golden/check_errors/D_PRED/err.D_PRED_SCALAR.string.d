BEGIN
/"a"/
{
	exit(0);
}
