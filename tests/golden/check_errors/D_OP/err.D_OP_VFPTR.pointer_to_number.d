BEGIN
{
	x = 1;
	p = curthread;
	x += p;
}
