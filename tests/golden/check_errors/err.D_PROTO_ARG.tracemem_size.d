BEGIN
{
	tracemem(curthread, "x");
}
