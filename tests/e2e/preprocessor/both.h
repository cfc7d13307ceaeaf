#include "mixed.h"
inline int SUM = MOST + SMALL;
typedef struct both {
	struct plain p;
	mixed_t m;
} both_t;
int counted;

BEGIN
{
	counted = SUM;
}
