/* Built with debug information and frame pointers: strlen("12345") is called twice, leaf() once by a function that is
 * inlined into another one. The tests know these lines by their numbers. */
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
