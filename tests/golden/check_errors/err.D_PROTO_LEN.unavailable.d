BEGIN
{
	chill();
}
