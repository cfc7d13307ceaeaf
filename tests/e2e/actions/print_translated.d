/* print() of a translated object shows all members. Zero members are omitted, as in any other object. */
#pragma D option quiet
#pragma D option printform=classic

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
