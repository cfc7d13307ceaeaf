#include <sys/types.h>
/* D could parse what is left of this when __attribute__ is gone. */
struct packed { char c; long l; } __attribute__((packed));
