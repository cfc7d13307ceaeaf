/* golden: linkmode=dynamic */
BEGIN
{
	trace(1);
	trace(`jiffies);
}
