/* golden: linkmode=dynamic knodefs */
BEGIN
{
	trace(`jiffies);
	trace(`no_such_symbol);
}
