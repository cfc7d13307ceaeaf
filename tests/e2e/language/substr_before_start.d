/* @@options: -q */
/* Without a count substr() takes strsize characters, of which those before the string are cut off. */
#pragma D option strsize=16

BEGIN
{
	s = "foobarbazbop";
	printf("[%s] [%s] [%s] [%s]\n", substr(s, -20), substr(s, -16), substr(s, -28), substr(s, -300));
	printf("[%s] [%s] [%s]\n", substr(s, 3), substr(s, -3), substr(s, 12));
	exit(0);
}
