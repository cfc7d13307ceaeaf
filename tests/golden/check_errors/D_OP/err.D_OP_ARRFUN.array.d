BEGIN
{
	x = curthread->comm;
}
