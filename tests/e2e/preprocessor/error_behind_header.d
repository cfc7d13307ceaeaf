/* Lines behind a header count on. @@options: -C -xerrtags */
#include "d_header.h"
#define NOTHING


BEGIN
{
	trace(NOTHING 1);
	trace(nosuch);
}
