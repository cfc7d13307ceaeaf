BEGIN
{
	trace(offsetof(pid_t, x));
}
