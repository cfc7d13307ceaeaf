/* @@options: -x printsize=20
 * printsize, rounded up to 24, limits the printed bytes. setopt() changes it. */
#pragma D option quiet
#pragma D option printform=classic
struct big { long a, b, c, d, e; };
struct outer { struct big first; int numbers[4]; };
struct outer o;
BEGIN { o.first.a = 1; o.first.b = 2; o.first.c = 3; o.first.d = 4; o.numbers[0] = 5; o.numbers[3] = 6; print(o); }
BEGIN { setopt("printsize", "44"); print(o); }
BEGIN { setopt("printsize", "48"); print(o); }
BEGIN { setopt("printsize", "100000"); print(o); exit(0); }
