/* Functions for probes of processes. Prints nothing. The comments state the number of calls.
 *   functions N    N rounds of all calls (default: 1)
 */
#include <stdlib.h>
#include <unistd.h>

#define NOT_INLINE __attribute__((noinline, noclone, used))

/* Once per round, with 1 to 8 and a pointer to "text": 36. */
NOT_INLINE long add_eight(long a, long b, long c, long d, long e, long f, long g, long h, const char* text) {
  __asm__ volatile("" : : "r"(text) : "memory");
  return a + b + c + d + e + f + g + h;
}

/* Once per round: -5. */
NOT_INLINE int negative(int value) { return value - 6; }

/* Once per round with 4, and recursively with 3, 2, 1: 24. */
NOT_INLINE unsigned long factorial(unsigned long n) {
  unsigned long rest = n <= 1 ? 1 : factorial(n - 1);
  __asm__ volatile("" : "+r"(rest));
  return n <= 1 ? 1 : n * rest;
}

/* Once per round; visible in this file only. */
static NOT_INLINE int hidden(int value) {
  __asm__ volatile("" : "+r"(value));
  return value * 2;
}

/* The string is read before it is passed on, because unread memory may not be resident. */
static const char text[] = "text";

int main(int argc, char** argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 1;
  volatile long sum = ((const volatile char*)text)[0];
  while (rounds-- > 0) {
    sum += add_eight(1, 2, 3, 4, 5, 6, 7, 8, text);
    sum += negative(1);
    sum += (long)factorial(4);
    sum += hidden(21);
    sum += getppid() != 0;
  }
  return sum == 0;
}
