/* With optimization, the compiler splits `split` into a hot and a cold part, and debug information describes it by
 * ranges instead of one start address. */
#include <stdio.h>

__attribute__((noinline, cold)) void complain(const char* text) { fprintf(stderr, "%s", text); }

__attribute__((noinline, noclone)) int split(int number, const char* text) {
  if (__builtin_expect(number > 100, 0)) {
    fprintf(stderr, "%d %s\n", number, text);
    complain(text);
    fprintf(stderr, "%s %d\n", text, number);
  }
  return number * 2 + text[0];
}

int main(int count, char** arguments) {
  (void)arguments;
  return split(count, count > 5 ? "B" : "A") == 67 ? 0 : 1;
}
