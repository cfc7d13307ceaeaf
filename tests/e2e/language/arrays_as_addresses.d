/* An array assigned to a pointer yields the address of its first element, in every combination of scopes. */
#pragma D option quiet

struct pair { int x; int y[3]; };
struct holder { int *p; char *text; };
int a[4], odd[3], grid[3][4];
int *p, *list[2], *by_name[string];
int (*row)[4];
char *c;
void *v;
struct pair pairs[2], one;
struct pair *q;
struct holder h;
self int *mine;
this int *local;
this int own[4];
self int kept[4];

BEGIN
{
	a[1] = 5; a[2] = 7; odd[2] = 8; grid[1][3] = 9; one.y[2] = 10; pairs[1].x = 11;
	this->own[3] = 12;
	self->kept[1] = 13;
	p = a; printf("%d ", p[2]);
	p = odd; printf("%d ", p[2]);
	p = grid[1]; printf("%d ", p[3]);
	row = grid; printf("%d ", row[1][3]);
	p = one.y; printf("%d ", p[2]);
	q = pairs; printf("%d ", q[1].x);
	v = a; printf("%d ", ((int *)v)[1]);
	printf("%d\n", v == &a[0]);
}

BEGIN
{
	self->mine = a; printf("%d ", self->mine[1]);
	this->local = this->own; printf("%d ", this->local[3]);
	this->local = self->kept; printf("%d ", this->local[1]);
	list[1] = a; printf("%d ", list[1][2]);
	by_name["a"] = odd; printf("%d ", by_name["a"][2]);
	h.p = grid[1]; printf("%d ", h.p[3]);
	*(p = a) = 14; printf("%d ", a[0]);
	x = 1; p = x ? a : 0; printf("%d ", p[0]);
	p = x ? NULL : odd; printf("%d ", p == NULL);
	p = 1 ? a : 0; printf("%d\n", p[1]);
}

BEGIN
{
	c = curthread->comm;
	h.text = curthread->comm;
	printf("%d %d\n", c[0] == execname[0], stringof(h.text) == execname);
	exit(0);
}
