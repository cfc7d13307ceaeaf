/* strtoll() of strings selected at run time: the verifier must explore only few states. */
#pragma D option quiet

string s;
int i;
self string m;

BEGIN
{
	s = "zz";
	self->m = "abcabc";
	t = lltostr(strtoll(i > 2 ? basename(s) : s, 36));
	printf("%s %d ", t, rindex(self->m, "bc"));
}

BEGIN
{
	printf("%d %d %d\n", strtoll(i < 2 ? " -12" : s), strtoll(i < 2 ? "0x1f" : s, 16), strtoll(strtok("7,8", ",")));
	exit(0);
}
