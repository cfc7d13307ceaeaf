BEGIN
{
	speculate(1);
	copyout(copyin(arg0, 8), arg1, 8);
}
