BEGIN
{
	@a = lquantize(1, -2147483649, 10);
}
