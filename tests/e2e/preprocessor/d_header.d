/* A header in D. @@options: -qC */
#include "d_header.h"
#include "d_header.h"

BEGIN
{
	printf("%d %d %d %d\n", shared, TWICE, shared_pair.first, RED);
	printf("%d %d\n", sizeof (pair_t), sizeof (struct C`pair));
	exit(0);
}
