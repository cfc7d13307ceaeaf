/* Strings are compared as far as they can be kept, literals that no variable can hold too. */
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
