/* Large variables and objects: large objects are assigned as a whole. */
#pragma D option quiet

struct large { int numbers[100000]; };
struct large one, two;
struct medium { char bytes[3000]; string text; };
struct medium m;
struct medium all[int];
int table[1000000];

BEGIN
{
	one.numbers[99999] = 4;
	one.numbers[7] = 7;
	two = one;
	printf("%d %d\n", two.numbers[99999], two.numbers[7]);
	m.bytes[2999] = 5;
	m.text = "medium";
	all[1] = m;
	all[2] = all[1];
	self->m = all[2];
	all[1] = 0;
	printf("%d %s %d\n", self->m.bytes[2999], self->m.text, all[1].bytes[2999]);
	table[999999] = 9;
	printf("%d\n", table[999999]);
	exit(0);
}
