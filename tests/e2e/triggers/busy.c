/* Threads that call spin(n), which calls spin_more(n), in an endless loop.
 *   busy THREADS
 */
#include <pthread.h>
#include <stdlib.h>

#define NOT_INLINE __attribute__((noinline, noclone, used))

NOT_INLINE long spin_more(long n) {
  __asm__ volatile("" : "+r"(n));
  return n & 1 ? n * 3 : n / 2;
}

NOT_INLINE long spin(long n) {
  long more = spin_more(n);
  return more < 0 ? 0 : more + 1;
}

static void* run(void* argument) {
  volatile long sum = 0;
  for (long i = 0;; ++i) sum += spin(i);
  return argument;
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t thread;
  for (int i = 1; i < threads; ++i) pthread_create(&thread, NULL, run, NULL);
  run(NULL);
  return 0;
}
