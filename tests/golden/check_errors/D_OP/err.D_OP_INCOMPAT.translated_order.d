/* A pointer to a translated object can be compared with NULL, but has no address to compare with numbers. */
struct from { int x; };
struct to { int y; };
translator struct to < struct from *f > { y = f->x; };
BEGIN /xlate <struct to *> ((struct from *)1) < 5/ { trace(1); }
