/* golden: amin=Evolving/Evolving/Common */
syscall:::entry
{
	trace(probefunc);
}
