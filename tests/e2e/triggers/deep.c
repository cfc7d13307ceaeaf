/* main() calls outer(), which calls middle(), which calls leaf() once. Built without frame pointers.
 *   deep N   N times, and then middle() 5 times by itself
 *   deep far N   once, N KiB of stack below far(), which main() calls
 */
#include <stdlib.h>

#define NOT_INLINE __attribute__((noinline, noclone, used))

NOT_INLINE int leaf(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}

NOT_INLINE int middle(int n) {
  volatile int space[40];
  space[n] = n;
  return leaf(space[n]) + space[n];
}

NOT_INLINE int outer(int n) {
  volatile char space[100];
  space[n] = (char)n;
  return middle(n) + space[n];
}

NOT_INLINE int far(int kilobytes) {
  volatile char space[kilobytes * 1024];
  space[0] = 1;
  return outer(space[0]);
}

int main(int argc, char** argv) {
  int failures = 0;
  if (argc < 2) return outer(argc) != 3;
  if (argc > 2) return far(atoi(argv[2])) != 3;
  for (int i = atoi(argv[1]); i > 0; --i) failures += outer(1) != 3;
  for (int i = 0; i < 5; ++i) failures += middle(1) != 2;
  return failures;
}
