BEGIN
{
	@a = quantize(1); printa("%@p101d", @a);
}
