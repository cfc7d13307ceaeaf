/* sizeof accepts a variable that dscope does not support. */
BEGIN
{
	trace(sizeof(ipl));
}
