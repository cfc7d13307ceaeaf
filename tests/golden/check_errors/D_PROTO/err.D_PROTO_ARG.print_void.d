/* print() follows pointers and shows values: there must be one. */
BEGIN
{
	print((void)0);
}
