/* Neither D nor C: the message is that of D. @@options: -C -xerrtags */
#include "error_in_both.h"
BEGIN { exit(0); }
