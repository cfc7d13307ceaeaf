BEGIN
{
	x = curthread;
	x->pid = 2;
}
