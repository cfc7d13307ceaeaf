#ifndef MIXED_H
#define MIXED_H
#include <stdint.h>
#define MOST 9

struct plain {
	int x;
	struct mixed *m;
};

static inline int twice(int x) { return 2 * x; }

typedef struct mixed {
	uint32_t a;
	union { int b; float f; };
	struct { char c; short d; } __attribute__((packed)) e;
	char tail[];
} mixed_t;

_Static_assert(sizeof (int) == 4, "int");
static const int table[] = { 1, 2, 3 };
enum big { BIG = 1LL << 40, SMALL = -3 };
#endif
