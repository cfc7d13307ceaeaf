/* The end of the file, which is the script's. @@options: -C -xerrtags */
#include "scopes.h"

