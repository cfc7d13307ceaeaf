BEGIN
{
	@a = pid;
}
