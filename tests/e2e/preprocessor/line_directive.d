/* #line works without -C. @@options: -xerrtags */
#line 100 "generated.d"
BEGIN
{
	trace(nosuch);
}
