#include <sys/types.h>
/* Without __attribute__, D could parse the rest of this. */
struct packed { char c; long l; } __attribute__((packed));
