/* An error at the end of the file belongs to the script. @@options: -C -xerrtags */
#include "scopes.h"

