// %s prints values of an enumeration by name, in keys too. Values without a name are printed as numbers.
enum color { RED, GREEN = 5, BLUE };
enum color favorite[int];

BEGIN
{
	printf("[%s] [%-8s] [%8s] [%.2s] [%S] [%d]\n", RED, GREEN, BLUE, GREEN, BLUE, GREEN);
	this->x = (enum color)7;
	favorite[1] = BLUE;
	printf("%s %s %s\n", this->x, favorite[1], favorite[2]);
	printf("%s\n", (enum sock_type)1);
	@[GREEN] = count();
	@[(enum color)6] = count();
	@[(enum color)9] = count();
	@two[RED, "x"] = count();
	printa("%10s %@d\n", @);
	printa("%s %s %@d\n", @two);
	exit(0);
}
