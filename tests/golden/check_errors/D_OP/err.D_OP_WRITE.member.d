BEGIN
{
	curthread->pid = 2;
}
