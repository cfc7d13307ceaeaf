/* &array[i]: loads and stores through pointers to global, thread-local and clause-local variables. */
#pragma D option quiet

int a[5];
self int b[5];
this int c[5];
struct point { int x; int y; string name; };
struct point z[2];

BEGIN
{
	a[2] = 7;
	p = &a[2];
	*p = 9;
	p[1] = 4;
	p++;
	*p += 1;
	printf("%d %d %d\n", a[2], a[3], p - &a[0]);

	q = &self->b[1];
	*q = 5;
	r = &this->c[4];
	*r = 6;
	w = &z[1];
	w->y = 8;
	w->name = "one";
	s = &z[1].x;
	*s = -1;
	printf("%d %d %d %s %d\n", self->b[1], this->c[4], z[1].y, z[1].name, z[1].x);
	printf("%d %d\n", ((long)&a[1] & 3) == ((long)&a[0] & 3), p > &a[0] && p != NULL);
}

BEGIN
{
	p = &a[0] + 100000;
	*p = 1;
}

ERROR { printf("fault %d\n", arg4); }
BEGIN { exit(0); }
