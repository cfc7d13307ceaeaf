BEGIN
{
	@a = lquantize(1, 11, 10);
}
