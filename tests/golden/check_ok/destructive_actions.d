/* The actions that change the system or the output, in every form of their arguments. */
BEGIN
{
	system("ls");
	system("echo %s %d %*d", execname, pid, 5, tid);
	freopen("");
	freopen("/tmp/%s.%d", execname, pid);
	ftruncate();
	raise(9);
	raise(pid & 15);
	stop();
	chill(1000);
	chill(timestamp & 0xff);
}
