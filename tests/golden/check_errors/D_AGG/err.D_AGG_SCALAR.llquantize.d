BEGIN
{
	@a = llquantize(execname, 10, 0, 3, 10);
}
