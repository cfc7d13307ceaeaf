/* Declarations may follow their use, and types are visible in their whole unit. */
#pragma D option quiet

BEGIN { x = 300; s.a = x; printf("%d %d\n", x, s.a); exit(0); }
char x;
struct later { short a; };
struct later s;
