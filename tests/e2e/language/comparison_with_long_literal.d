/* Strings compare up to strsize, even literals that are too long for any variable. */
#pragma D option quiet
#pragma D option strsize=8

BEGIN
{
	text = "/usr/lib/";
	shorter = "/usr/li";
	printf("%d %d %d\n", text == "/usr/lib/", "/usr/lib/local" != text, text < "/usr/lib/");
	printf("%d %d %d\n", shorter == "/usr/lib/", shorter == "/usr/li", shorter < "/usr/lib/");
	exit(0);
}
