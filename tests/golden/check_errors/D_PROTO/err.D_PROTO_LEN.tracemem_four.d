BEGIN
{
	tracemem(curthread, 2, 3, 4);
}
