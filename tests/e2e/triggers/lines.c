// Lines whose instructions are mixed with those of an inlined function, or partly in a cold part of the function.
// Needs optimization.
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>

volatile int calls;

__attribute__((noinline, noclone)) int heavier(const struct box* box, int other) {
  int it = other;
  int weight = weight_of(box);
  return weight > it ? weight : it;
}

__attribute__((noinline, cold)) int complain(int number) {
  fprintf(stderr, "%d\n", number);
  return -1;
}

__attribute__((noinline, noclone)) int checked(int number) {
  int result = __builtin_expect(number > 100, 0) ? complain(number) : number * ++calls;
  return result + calls;
}

int main(int count, char** arguments) {
  (void)arguments;
  struct box box = {.weight = 7 * count, .count = 2};
  if (heavier(&box, 5) != 14 || heavier(&box, 20) != 20) exit(1);
  return checked(20) == 21 && checked(30) == 62 ? 0 : 1;
}
