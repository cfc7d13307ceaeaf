BEGIN
{
	@a = lquantize(execname, 1, 10, 1);
}
