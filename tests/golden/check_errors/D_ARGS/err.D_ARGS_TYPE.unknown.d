rawtp:::unknown_argument
{
	trace(args[0]);
}
