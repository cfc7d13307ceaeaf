/* @@options: -q */
/* Without a count substr() returns strsize characters, minus those before the start of the string. */
#pragma D option strsize=16

BEGIN
{
	s = "foobarbazbop";
	printf("[%s] [%s] [%s] [%s]\n", substr(s, -20), substr(s, -16), substr(s, -28), substr(s, -300));
	printf("[%s] [%s] [%s]\n", substr(s, 3), substr(s, -3), substr(s, 12));
	exit(0);
}
