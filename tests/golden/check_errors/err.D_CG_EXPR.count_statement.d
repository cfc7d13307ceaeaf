BEGIN
{
	count();
}
