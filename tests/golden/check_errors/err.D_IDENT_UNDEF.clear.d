BEGIN
{
	clear(@a);
}
