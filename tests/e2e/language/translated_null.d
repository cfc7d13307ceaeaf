/* A translated pointer is NULL if its input pointer is NULL. A pointer translated from a number is never NULL. */
#pragma D option quiet
struct from { int x; };
struct to { int y; };
translator struct to < struct from *f > { y = f->x; };
struct too { int y; };
translator struct too < int i > { y = i; };
BEGIN { trace(xlate <struct to *> ((struct from *)0) == NULL); trace(!xlate <struct to *> ((struct from *)1)); trace(xlate <struct too *> (0) != NULL); exit(0); }
