// watched N: adds 1 to `counter` N times, then N times in a second thread. Reads `flag` once per turn, by calling
// step().
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

volatile long counter;
volatile int flag = 1;
static int turns;

__attribute__((noinline)) void step(void) {
  if (flag != 0) counter = counter + 1;
}

static void* turn(void* unused) {
  for (int i = 0; i < turns; ++i) step();
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  turns = argc > 1 ? atoi(argv[1]) : 1;
  turn(NULL);
  if (pthread_create(&thread, NULL, turn, NULL) != 0) return 1;
  pthread_join(thread, NULL);
  return 0;
}
