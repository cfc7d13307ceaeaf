/* The workload of the load tests: THREADS threads, each making COUNT system calls getppid(i) back to back with a unique
 * number i. Usage: flood THREADS COUNT CPU, where CPU is the CPU of all threads, -1 for any CPU, or -2 for one CPU for
 * each thread, in turn.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { max_threads = 64 };
static long count_per_thread, online;
static int is_spread;

static int run_on(long cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET((size_t)cpu, &cpus);
  return sched_setaffinity(0, sizeof cpus, &cpus); /* of the calling thread */
}

static void* flood(void* first) {
  if (is_spread && run_on((long)first / count_per_thread % online) != 0) exit(1);
  for (long i = (long)first; i < (long)first + count_per_thread; ++i) syscall(SYS_getppid, i);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  long threads = atol(argv[1]), cpu = atol(argv[3]);
  count_per_thread = atol(argv[2]);
  if (threads < 1 || threads > max_threads) return 2;
  if (cpu >= 0 && run_on(cpu) != 0) return 1;
  is_spread = cpu == -2;
  online = sysconf(_SC_NPROCESSORS_ONLN);
  pthread_t handles[max_threads];
  for (long i = 0; i < threads; ++i)
    if (pthread_create(&handles[i], NULL, flood, (void*)(i * count_per_thread)) != 0) return 1;
  for (long i = 0; i < threads; ++i) pthread_join(handles[i], NULL);
  return 0;
}
