BEGIN
{
	strlen();
}
