/* An object key smaller than its word: the rest of the word must not depend on old stack contents. */
#pragma D option quiet
struct three { char bytes[3]; };
struct three three;
int found[struct three];

BEGIN
{
	found[three] = 1;
	other["filling the same memory", -1, -1] = 1;
	@sizes[three] = count();
}

BEGIN
{
	printf("%d\n", found[three]);
	other["and again with something else", -1, -1] = 1;
	@sizes[three] = count();
	found[three] += 1;
	printf("%d\n", found[three]);
	exit(0);
}

END
{
	printa("%@d\n", @sizes);
}
