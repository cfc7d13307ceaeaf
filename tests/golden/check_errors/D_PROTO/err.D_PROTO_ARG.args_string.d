syscall::read:entry
{
	trace(args["a"]);
}
