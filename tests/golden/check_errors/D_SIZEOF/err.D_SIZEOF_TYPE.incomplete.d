BEGIN
{
	trace(sizeof(struct undefined_here));
}
