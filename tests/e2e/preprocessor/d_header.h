/* Shared by scripts: macros, inlines, types, variables, even clauses. */
#ifndef D_HEADER_H
#define D_HEADER_H
#define LIMIT 17

typedef struct pair {
	int first;
	string second;
} pair_t;
enum color { RED = 1, GREEN, BLUE };
inline int TWICE = 2 * LIMIT;
int shared;
pair_t shared_pair;

BEGIN
{
	shared = LIMIT + BLUE;
	shared_pair.first = GREEN;
}
#endif
