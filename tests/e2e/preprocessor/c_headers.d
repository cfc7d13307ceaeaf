/* Headers in C and in D that include each other. @@options: -qC */
#include "both.h"
#include "packed.h"

both_t both;

BEGIN
{
	printf("%d %d %d %d\n", counted, sizeof (struct plain), sizeof (mixed_t), sizeof (both_t));
	printf("%d %d %d\n", offsetof(mixed_t, e), sizeof (((mixed_t *)0)->e), offsetof(struct both, m));
	printf("%d %d %d\n", BIG >> 38, SMALL, sizeof (struct packed));
	both.m.b = 7;
	both.m.e.d = -2;
	both.p.x = 4;
	printf("%d %d %d\n", both.m.b, both.m.e.d, both.p.x);
	exit(0);
}
