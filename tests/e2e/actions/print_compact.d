/* print() in the form of dscope's default: on one line where it fits. */
#pragma D option quiet

struct point { int x; char name[8]; struct { void *p; } inner; };
struct point p;

BEGIN
{
	p.x = 1;
	p.name[0] = 'o';
	p.name[1] = 'k';
	p.inner.p = (void *)0x10;
	print(p);
	print(p.x);
	print(execname == "x" ? "a" : "b");
	exit(0);
}
