BEGIN
{
	@a = llquantize(1, 10, 65536, 3, 10);
}
