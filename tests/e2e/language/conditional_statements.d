/* Statements selected by ?:, as in old scripts. Branches may be lists, assignments, aggregations, of any type. */
#pragma D option quiet

inline int OPT_time = 1;
inline int OPT_name = 0;
inline string FILTER = "all";

BEGIN
{
	OPT_time ? printf("time ") : 1;
	OPT_name ? printf("name %s\n", no_such_name) : 1;
	(FILTER == "all") ? printf("all\n") : printf("none\n");
	x = 3;
	x == 2 ? trace("two") : x == 3 ? printf("three\n") : printf("other\n");
	x ? (printf("list: "), @lists = count(), y = 4, printf("y is %d\n", y)) : (y = 5);
	x ? (x > 5 ? printf("no\n") : (x ? printf("inner\n") : 0)) : printf("no\n");
	!x ? printf("no\n") : 0, y == 4 ? printf("four\n") : 1;
	x ? s = "string" : 1;
	x ? self->t = x : (self->u = "u");
	x ? a[x] = curthread : 0;
	x ? @keyed[s, x] = sum(x) : (@keyed["none", 0] = sum(1));
	!x ? @never = count() : 1;
	if (x) x ? printf("if\n") : 1; else printf("no\n");
	if (!x) { } else y ? (y++, z = y) : (z = 1);
	printf("%s %d %d %d\n", s, self->t, a[3] == curthread, z);
	x ? exit(4) : exit(5);
	printf("still here\n");
}

BEGIN { printf("not this\n"); }

END
{
	OPT_name ? printa(@no_such) : 1;
	x ? printa("%@d lists\n", @lists) : 1;
	printa("%s %d %@d\n", @keyed);
}
