/* main() calls last(), whose last instruction calls never_returns(). */
#include <stdlib.h>

#define NOT_INLINE __attribute__((noinline, noclone, used))

__attribute__((noreturn)) NOT_INLINE void never_returns(int status) {
  __asm__ volatile("" : "+r"(status));
  exit(status);
}

NOT_INLINE void last(int status) {
  __asm__ volatile("" : "+r"(status));
  never_returns(status);
}

NOT_INLINE void behind(void) { __asm__ volatile(""); }

int main(void) {
  last(0);
  behind();
}
