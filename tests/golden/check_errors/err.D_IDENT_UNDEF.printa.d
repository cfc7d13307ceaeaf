BEGIN
{
	printa("%@d", @a);
}
