BEGIN
{
	@a = count(); printa("%@d %@p99d", @a);
}
