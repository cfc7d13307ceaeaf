/* print() of an object behind a pointer: every kind of member. Zero members are omitted. */
#pragma D option quiet
#pragma D option printform=classic

enum kind { FIRST, SECOND = 7, LAST = -3 };
struct point {
	int x;
	char name[5];
	struct { void *p; } inner;
	enum kind kind, other, none;
	int zero;
	unsigned int low:3;
	int signed_bits:5;
	int zero_bits:4;
	long numbers[3];
	int grid[2][2];
	struct { short id; } rows[3];
	union { int i; char c; } u;
	int (*function)(int);
	unsigned long big;
	char letter;
	signed char small;
	unsigned char byte;
	short negative;
	uint16_t half;
	char first_is_nul[4];
};
struct point p;

BEGIN
{
	p.x = -1;
	p.name[0] = 't';
	p.name[1] = 'e';
	p.inner.p = (void *)0xfeedfacefeedface;
	p.kind = SECOND;
	p.other = LAST;
	p.low = 5;
	p.signed_bits = -2;
	p.numbers[1] = 9;
	p.grid[1][0] = 4;
	p.rows[2].id = 12;
	p.u.i = 'A';
	p.function = (int (*)(int))0x55;
	p.big = -1;
	p.letter = 'x';
	p.small = -5;
	p.byte = 200;
	p.negative = -300;
	p.half = 65535;
	p.first_is_nul[1] = 'y';
	this->copy = (struct point *)alloca(sizeof (struct point));
	*this->copy = p;
	print(this->copy);
}

BEGIN
{
	this->n = (int *)alloca(8);
	*this->n = 7;
	print(this->n);
	exit(0);
}
