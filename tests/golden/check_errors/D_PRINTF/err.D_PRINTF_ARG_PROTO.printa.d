BEGIN
{
	@a["x"] = count();
	printa("%s %d", @a);
}
