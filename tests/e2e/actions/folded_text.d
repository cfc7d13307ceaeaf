/* Only stacks are on the standard output of the folded form.
 * @@options: --format=folded */
BEGIN
{
	printf("%-8s %s\n", "PROGRAM", "COUNT");
	@stacks[stack()] = count();
	@programs["a"] = count();
	@all = count();
	exit(0);
}

END
{
	printa("%-8s %@d\n", @programs);
	printa(@stacks);
	printf("%d %s\n", 1, "end");
	printa("%@d in all\n", @all);
}
