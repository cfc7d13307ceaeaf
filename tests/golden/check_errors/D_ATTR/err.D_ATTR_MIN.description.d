/* golden: amin=Stable/Stable/Common */
BEGIN,
END
{
	trace(curthread);
}
