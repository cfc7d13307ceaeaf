BEGIN
{
	trace(!"x");
}
