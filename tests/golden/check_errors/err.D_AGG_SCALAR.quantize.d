BEGIN
{
	@a = quantize("x");
}
