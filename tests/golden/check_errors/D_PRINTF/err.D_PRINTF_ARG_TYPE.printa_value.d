BEGIN
{
	@a["x"] = count();
	printa("%@s", @a);
}
