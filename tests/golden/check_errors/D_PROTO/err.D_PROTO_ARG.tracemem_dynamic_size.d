BEGIN
{
	tracemem(curthread, 1, "x");
}
