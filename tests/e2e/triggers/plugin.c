/* A library that a program loads at run time. It has the static probe plug:called. */
#include <sys/sdt.h>

__attribute__((noinline, noclone, used)) int plugged(int n) {
  STAP_PROBE1(plug, called, n);
  __asm__ volatile("" : "+r"(n));
  return n + 1;
}
