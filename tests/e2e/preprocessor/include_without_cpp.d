/* Directives need -C. @@options: -xerrtags -xdiagnostics=full */
#include <sys/types.h>
BEGIN { exit(0); }
