BEGIN
{
	@a = llquantize(1, 10, 0, pid, 10);
}
