/* One record per firing. Each value has its own offset. */
struct pair { char first; long second; } pair;
BEGIN
{
	trace(1);
	trace((char)2);
	trace(execname);
	trace(probefunc);
	trace("constant");
	trace(pair);
	trace(curthread->comm);
	printf("%d %s %p\n", pid, execname, curthread);
	printf("%s|%5.2d|%*d", stringof(curthread->comm), 3, 4, 5);
	exit(0);
}
