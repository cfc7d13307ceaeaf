/* Elements of associative arrays that are arrays themselves. Assigning 0 removes the whole element. */
#pragma D option quiet

int a[int][4];
self int b[string][2];
self int c[3];
int d[2][3];

BEGIN
{
	a[1][2] = 5;
	a[7][3] = 6;
	a[1][0]++;
	self->b["x"][1] = 8;
	self->c[1] = 9;
	d[1][2] = 10;
	printf("%d %d %d %d %d %d %d\n", a[1][2], a[7][3], a[1][0], a[9][1], self->b["x"][1], self->c[1], d[1][2]);
	a[1] = 0;
	self->b["x"] = 0;
	self->c = 0;
	printf("%d %d %d %d\n", a[1][2], a[7][3], self->b["x"][1], self->c[1]);
	exit(0);
}
