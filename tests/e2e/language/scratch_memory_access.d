/* alloca(): stores, loads, pointer arithmetic, members, bit-fields, whole objects. */
#pragma D option quiet
#pragma D option scratchsize=1024

struct pair { int first; char text[4]; long small : 5, large : 10; string name; };
struct pair whole;

BEGIN
{
	p = (int *)alloca(20);
	*p = 5;
	p[4] = 7;
	p[1] = 0;
	p[1]++;
	q = p + 4;
	*q += 3;
	printf("%d %d %d %d\n", *p, p[1], p[4], q - p);
}

BEGIN
{
	this->o = (struct pair *)alloca(sizeof (struct pair) + 8);
	this->o->first = 4;
	this->o->text[2] = 9;
	this->o->small = 3;
	this->o->large = 77;
	this->o->name = "name";
	whole = *this->o;
	printf("%d %d %d %d %s\n", whole.first, whole.text[2], whole.small, whole.large, whole.name);
	whole.first = 99;
	*this->o = whole;
	this->c = &this->o->text[1];
	*this->c = 'z';
	printf("%d %c %d\n", this->o->first, this->o->text[1], &this->o->text[1] == this->c);
}

BEGIN
{
	a[1] = (char *)alloca(10);
	a[1][0] = 'c';
	this->m = (char *)alloca(1);
	*this->m = 'm';
	printf("%c %c\n", a[1][0], *(1 ? this->m : (char *)&curthread->comm[0]));
}

ERROR { printf("fault %d\n", arg4); }
END { exit(0); }
BEGIN { exit(0); }
