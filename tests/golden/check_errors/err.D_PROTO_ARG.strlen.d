BEGIN
{
	strlen(1);
}
