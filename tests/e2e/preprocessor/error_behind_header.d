/* Line numbers are correct after a header. @@options: -C -xerrtags */
#include "d_header.h"
#define NOTHING


BEGIN
{
	trace(NOTHING 1);
	trace(nosuch);
}
