BEGIN
{
	@a = lquantize(1, 1, 10, 1, 1, 6);
}
