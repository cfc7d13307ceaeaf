/* The rows of all clauses are one table in CSV. A title names the columns of printf() calls with as many values.
 * @@options: --format=csv */
BEGIN
{
	printf("Counting...\n");
	printf("%s %s\n", "FIRST", "SECOND");
}

BEGIN
{
	printf("%d %d\n", 1, 2);
}

BEGIN
{
	trace("a");
	exit(0);
}

END
{
	printf("%d %d\n", 3, 4);
}
