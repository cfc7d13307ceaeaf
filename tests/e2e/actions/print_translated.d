/* print() of what a translator makes has all its members; those that are 0 are left out, as of any other object. */
#pragma D option quiet

struct pair {
	int first, second;
	char name[8];
};
translator struct pair < int n > {
	first = n;
	name = "seven";
};
BEGIN
{
	print(xlate <struct pair *> (7));
	print(xlate <struct pair> (8));
	exit(0);
}
