BEGIN
{
	breakpoint(1);
}
