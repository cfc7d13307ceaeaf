BEGIN
{
	x = curthread;
	x = pid;
}
