/* The message names the header and its line. @@options: -C -xerrtags */
#include "error_in_header.h"

BEGIN { exit(0); }
