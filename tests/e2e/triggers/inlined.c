/* Built with debug information and frame pointers: calls strlen("12345") twice, and leaf() once from an inlined
 * function. Tests expect these line numbers. */
#include <string.h>

size_t (*volatile length)(const char*) = strlen;

__attribute__((noinline, noclone)) int leaf(void) {
  __asm__ volatile("");
  return 1;
}

static inline __attribute__((always_inline)) int inner(void) { return leaf(); }

__attribute__((noinline)) int outer(void) {
  int result = inner();
  __asm__ volatile("" : "+r"(result));
  return result;
}

int main(void) {
  size_t sum = length("12345") + length("12345");
  int result = outer();
  __asm__ volatile("" : "+r"(result));
  return sum == 10 ? 0 : 1;
}
