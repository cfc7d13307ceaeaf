BEGIN
{
	@a = lquantize(1, 1, -2147483649);
}
