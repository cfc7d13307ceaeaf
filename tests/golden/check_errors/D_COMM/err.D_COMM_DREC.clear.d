BEGIN
{
	@a = count();
	clear(@a);
	commit(1);
}
