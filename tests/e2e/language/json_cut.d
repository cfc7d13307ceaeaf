/* @@options: -x strsize=16
 * A text truncated to strsize has only the elements that are complete. */
#pragma D option quiet

BEGIN
{
	printf("%s|%s\n", json("{\"a\":\"012\",\"b\":\"3456789\"}", "a"), json("{\"a\":123,\"b\":0}", "b"));
	this->cut = strjoin("{\"a\":\"012\",", "\"b\":\"3456789\"}");
	printf("%s %d\n", json(this->cut, "a"), json(this->cut, "b") == NULL);
	exit(0);
}
