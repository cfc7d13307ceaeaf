/* A library that a program loads while it runs. */
__attribute__((noinline, noclone, used)) int plugged(int n) {
  __asm__ volatile("" : "+r"(n));
  return n + 1;
}
