/* Words that are types, and words that are variables (d-language.md 1.2). */
typedef int foo;
list_t *lp;
int task_t_count;
foo bar;
BEGIN
{
	size_t = 1;
	x = (size_t)-1;
	x = (uint64_t)-1;
	x = (foo)-1;
	x = (bar)-1;
	x = (pid)-1;
	x = (unknown)-1;
	list_t++;
	x = (list_t) - 1;
	x = (foo *)p + sizeof (foo) + sizeof (bar);
}
