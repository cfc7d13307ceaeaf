/* The size of a variable that dscope does not have is known. */
BEGIN
{
	trace(sizeof(ipl));
}
