BEGIN
{
	trace(sizeof(curthread->in_execve));
}
