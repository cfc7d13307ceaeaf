/* Functions whose arguments are not in the locations of the calling convention. Compiled by clang, which changes the
 * parameters of static functions: it omits a constant, and passes an object instead of its address.
 */
#include <stdio.h>

#define NOT_INLINE __attribute__((noinline))

enum __attribute__((packed)) small { small_one = 1, small_large = 200 };
enum large { large_one = 1, large_large = 0xfffffff0u };
struct mixed {
  enum small small;
  enum large large;
  enum small bits : 8;
};
struct color {
  unsigned char red, green, blue;
};
struct point {
  int x, y;
};

static NOT_INLINE int constant(int a, int mode, int b) { return printf("%d %d %d\n", a, mode, b); }
static NOT_INLINE int promoted(const struct point* point, int k) { return point->x + k; }
NOT_INLINE int enums(enum small small, enum large large, const struct mixed* mixed) {
  return small + (int)large + mixed->bits;
}

NOT_INLINE struct color lighter(struct color color, int by) {
  color.green = (unsigned char)(color.green + by);
  return color;
}

int main(int argc, char** argv) {
  struct point point = {argc, 2};
  struct mixed mixed = {small_large, large_large, small_large};
  int sum = enums(small_large, large_large, &mixed);
  (void)argv;
  sum += lighter((struct color){1, 2, 3}, argc).green;
  for (int i = 0; i < 2; ++i) sum += constant(i, 7, argc + i) + promoted(&point, i);
  return sum == 0;
}
