BEGIN
{
	tracemem(curthread, -1);
}
