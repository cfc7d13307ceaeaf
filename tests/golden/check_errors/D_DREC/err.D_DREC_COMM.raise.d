BEGIN
{
	commit(1);
	raise(1);
}
