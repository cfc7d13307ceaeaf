/* main() calls outer(), which calls middle(), which calls leaf() once. Built without frame pointers. */
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

int main(int argc, char** argv) {
  (void)argv;
  return outer(argc) != 3;
}
