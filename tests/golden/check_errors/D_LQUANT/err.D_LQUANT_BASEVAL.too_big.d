BEGIN
{
	@a = lquantize(1, 2147483648, 10);
}
