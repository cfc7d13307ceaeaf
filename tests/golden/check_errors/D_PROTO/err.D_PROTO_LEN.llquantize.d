BEGIN
{
	@a = llquantize(1, 2, 3, 4);
}
