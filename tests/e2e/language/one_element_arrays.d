/* Arrays of one element in D variables: any other index faults, as in longer arrays. */
#pragma D option quiet

struct holder { int before; int only[1]; int after; };
int a[1], grid[1][4];
string texts[1];
self int mine[1];
struct holder h;

BEGIN
{
	x = pid - $pid;
	a[x] = 3;
	grid[x][x + 2] = 4;
	texts[x] = "five";
	self->mine[x] = 6;
	h.only[x] = 7;
	printf("%d %d %s %d %d\n", a[x], grid[x][2], texts[x], self->mine[x], h.only[x]);
	x = 1;
}

BEGIN { a[x] = 1; }
BEGIN { printf("%d", a[x]); }
BEGIN { h.only[x] = 1; }
BEGIN { a[2] = 1; }
BEGIN { texts[x] = "no"; }
BEGIN { printf("%d", grid[x][0]); }

ERROR
{
	printf("%d %d\n", arg4, arg5);
}

BEGIN
{
	exit(0);
}
