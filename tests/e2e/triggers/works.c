/* Threads that compute in an endless loop and check their results, even while they are probed.
 *   works THREADS    for each byte on standard input prints "rounds R wrong W watched N": the number of rounds, the
 *                    number of wrong results, and the semaphore of the static probe mill:ground
 * The threads compute in bursts, to leave CPU time to others. Signals arrive all the time, one thread leaves functions
 * by longjmp(), and threads start and end.
 */
#define _SDT_HAS_SEMAPHORES 1
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sdt.h>
#include <sys/time.h>
#include <unistd.h>

#define NOT_INLINE __attribute__((noinline, noclone, used))

__attribute__((section(".probes"), used)) volatile unsigned short mill_ground_semaphore;

static atomic_long rounds, wrong;

NOT_INLINE long grind_leaf(long n) {
  __asm__ volatile("" : "+r"(n));
  return n & 1 ? n * 3 : n / 2;
}

NOT_INLINE long grind_deep(long n, long depth) {
  if (depth == 0) return grind_leaf(n);
  return grind_deep(n, depth - 1) + 1;
}

NOT_INLINE double grind_float(double x, double y) {
  __asm__ volatile("" : "+x"(x), "+x"(y));
  return x * y + 0.5;
}

NOT_INLINE long grind_many(long a, long b, long c, long d, long e, long f, long g, long h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

NOT_INLINE void grind_out(jmp_buf* place) { longjmp(*place, 7); }

NOT_INLINE void grind_jump(jmp_buf* place) {
  if (place != NULL) grind_out(place);
  __asm__ volatile("");
}

NOT_INLINE void grind_probe(long n) { STAP_PROBE2(mill, ground, n, n + 1); }

static void rest_after(long i) {
  if (i % 64 == 63) usleep(1000);
}

static void check(int is_right) {
  atomic_fetch_add(&rounds, 1);
  if (!is_right) atomic_fetch_add(&wrong, 1);
}

static void* compute(void* argument) {
  for (long i = 0;; ++i) {
    long leaf = i & 1 ? i * 3 : i / 2;
    long sum = grind_deep(i, 20) + grind_many(i, 1, 2, 3, 4, 5, 6, 7);
    grind_probe(i);
    check(sum == leaf + 20 + i + 168 && grind_float(2.0, (double)(i & 1023)) == 2.0 * (double)(i & 1023) + 0.5);
    rest_after(i);
  }
  return argument;
}

static void* jump(void* argument) {
  for (volatile long i = 0;; ++i) {
    jmp_buf place;
    int came_back_with = setjmp(place);
    if (came_back_with == 0) grind_jump(&place);
    check(came_back_with == 7);
    rest_after(i);
  }
  return argument;
}

static void* compute_once(void* argument) {
  check(grind_deep((long)argument, 5) == (long)argument * 3 + 5);
  return argument;
}

static void* start_threads(void* argument) {
  for (long i = 1;; i += 2) {
    pthread_t thread;
    void* result = NULL;
    if (pthread_create(&thread, NULL, compute_once, (void*)i) != 0) continue;
    pthread_join(thread, &result);
    check(result == (void*)i);
    usleep(1000);
  }
  return argument;
}

static void on_alarm(int number) { check(grind_leaf(number) == number / 2); }

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  signal(SIGALRM, on_alarm);
  pthread_t thread;
  pthread_create(&thread, NULL, jump, NULL);
  pthread_create(&thread, NULL, start_threads, NULL);
  for (int i = 0; i < threads; ++i) pthread_create(&thread, NULL, compute, NULL);
  struct itimerval period = {.it_interval = {.tv_usec = 2000}, .it_value = {.tv_usec = 2000}};
  setitimer(ITIMER_REAL, &period, NULL);
  char byte;
  /* Ends only at the end of the input: signal() implies SA_RESTART. */
  while (read(STDIN_FILENO, &byte, 1) == 1) {
    printf("rounds %ld wrong %ld watched %d\n", atomic_load(&rounds), atomic_load(&wrong), mill_ground_semaphore);
    fflush(stdout);
  }
  return 0;
}
