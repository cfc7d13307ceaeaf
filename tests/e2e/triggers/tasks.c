/* Triggers the probes of processes, of the scheduler and of I/O a known number of times.
 *   tasks signal N     N times: SIGUSR1, which is handled; SIGUSR2, which is ignored
 *   tasks wait N       N times: SIGUSR1 to itself while blocked, taken by sigwaitinfo()
 *   tasks fault N      N times: a read of address 16, which the handler of SIGSEGV leaves by longjmp()
 *   tasks killed       kills itself by SIGTERM
 *   tasks exec PATH    tries to execute that program; exits with status 7 if it cannot
 *   tasks sleep N      sleeps for a millisecond, N times
 *   tasks yield N      calls sched_yield() N times
 *   tasks busy MS      six threads compute and sleep in turn on two CPUs for MS milliseconds
 *   tasks threads N    N threads, one after the other
 *   tasks direct PATH  writes 16 blocks of 4096 bytes around the page cache and reads them back; status 3 if it cannot
 *   tasks cached PATH  reads the first page of the file from its device again
 *   tasks reread PATH N  makes a file of N pages. Then, under the name of "reread", drops its pages from the cache and
 * reads the file twice tasks contend MS   four threads allocate and free the pages of one file and write to one pipe,
 * for MS milliseconds tasks queue N      N times, one thread waits for another one that reads from a terminal; status 3
 * if it cannot tasks hoard        writes to new memory until the kernel kills it tasks pageout N    writes N pages and
 * asks the kernel to swap them out; status 3 if it cannot
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf back;

static void handle(int sig) { (void)sig; }

static void leave(int sig) {
  (void)sig;
  siglongjmp(back, 1);
}

static void signals(long count) {
  signal(SIGUSR1, handle);
  signal(SIGUSR2, SIG_IGN);
  while (count-- > 0) {
    raise(SIGUSR1);
    raise(SIGUSR2);
  }
}

static void waits(long count) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  while (count-- > 0) {
    raise(SIGUSR1);
    sigwaitinfo(&set, NULL);
  }
}

static void faults(volatile long count) {
  // Volatile, because compilers warn of constant addresses below 4096.
  volatile char* volatile unmapped = (volatile char*)16;
  signal(SIGSEGV, leave);
  while (count-- > 0)
    if (sigsetjmp(back, 1) == 0) (void)*unmapped;
}

static void sleeps(long count) {
  struct timespec millisecond = {0, 1000000};
  while (count-- > 0) nanosleep(&millisecond, NULL);
}

static void yields(long count) {
  while (count-- > 0) sched_yield();
}

static void* thread_main(void* nothing) { return nothing; }

static int direct(const char* path) {
  enum { size = 4096, blocks = 16 };
  void* block = NULL;
  int file = open(path, O_RDWR | O_CREAT | O_DIRECT, 0600);
  if (file < 0 || posix_memalign(&block, size, size) != 0) return 3;
  memset(block, 'x', size);
  for (int i = 0; i < blocks; ++i)
    if (pwrite(file, block, size, i * size) != size) return 3;
  for (int i = 0; i < blocks; ++i)
    if (pread(file, block, size, i * size) != size) return 3;
  return 0;
}

static int cached(const char* path) {
  char byte;
  int file = open(path, O_RDONLY);
  if (file < 0 || posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) != 0) return 3;
  return read(file, &byte, 1) == 1 ? 0 : 3;
}

static int drop_and_read_twice(int file, long pages) {
  char page[4096];
  if (posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) != 0) return 3;
  for (int i = 0; i < 2; ++i)
    for (long at = 0; at < pages; ++at)
      if (pread(file, page, sizeof page, at * (off_t)sizeof page) != sizeof page) return 3;
  return 0;
}

/* The first round touches the code and the stack. */
static int reread(const char* path, long pages) {
  static const char page[4096];
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return 3;
  for (long i = 0; i < pages; ++i)
    if (write(file, page, sizeof page) != sizeof page) return 3;
  if (fsync(file) != 0 || drop_and_read_twice(file, pages) != 0) return 3;
  prctl(PR_SET_NAME, "reread");
  int status = drop_and_read_twice(file, pages);
  prctl(PR_SET_NAME, "tasks");
  return status;
}

static struct timespec contention_end;
static int shared_file, pipe_ends[2];

static int is_later(struct timespec than) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec > than.tv_sec || (now.tv_sec == than.tv_sec && now.tv_nsec > than.tv_nsec);
}

static void* contender_main(void* nothing) {
  static char bytes[65536];
  while (!is_later(contention_end)) {
    /* The file stays locked long enough for another thread to run. */
    if (fallocate(shared_file, 0, 0, 32 << 20) != 0) break;
    if (fallocate(shared_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 32 << 20) != 0) break;
    for (int i = 0; i < 100; ++i)
      if (write(pipe_ends[1], bytes, 1000) < 0 || read(pipe_ends[0], bytes, 1000) < 0) break;
  }
  return nothing;
}

static void end_after(long milliseconds) {
  clock_gettime(CLOCK_MONOTONIC, &contention_end);
  contention_end.tv_sec += milliseconds / 1000;
  contention_end.tv_nsec += milliseconds % 1000 * 1000000;
  if (contention_end.tv_nsec >= 1000000000) {
    contention_end.tv_nsec -= 1000000000;
    ++contention_end.tv_sec;
  }
}

static int contend(long milliseconds) {
  pthread_t threads[4];
  shared_file = memfd_create("shared", 0);
  if (shared_file < 0 || pipe(pipe_ends) != 0) return 3;
  end_after(milliseconds);
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, contender_main, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  return 0;
}

static void* worker_main(void* nothing) {
  const struct timespec pause = {.tv_nsec = 500000};
  while (!is_later(contention_end)) {
    for (volatile int i = 0; i < 200000; ++i) continue;
    nanosleep(&pause, NULL);
  }
  return nothing;
}

static void stay_on_two_cpus(void) {
  cpu_set_t allowed, two;
  int count = 0;
  CPU_ZERO(&two);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int i = 0; i < CPU_SETSIZE && count < 2; ++i) {
    if (!CPU_ISSET(i, &allowed)) continue;
    CPU_SET(i, &two);
    ++count;
  }
  sched_setaffinity(0, sizeof two, &two);
}

static int busy(long milliseconds) {
  pthread_t threads[6];
  stay_on_two_cpus();
  end_after(milliseconds);
  for (int i = 0; i < 6; ++i) pthread_create(&threads[i], NULL, worker_main, NULL);
  for (int i = 0; i < 6; ++i) pthread_join(threads[i], NULL);
  return 0;
}

static void threads(long count) {
  pthread_t thread;
  while (count-- > 0) {
    pthread_create(&thread, NULL, thread_main, NULL);
    pthread_join(thread, NULL);
  }
}

static void hoard(void) {
  enum { size = 1 << 20 };
  for (;;) {
    char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memset(memory, 1, size);
  }
}

static int terminal;
static long queue_rounds;
static pthread_barrier_t round_begins;
static pid_t reader_ids[2];

static void* reader_main(void* id) {
  char line[8];
  *(pid_t*)id = gettid();
  for (long i = 0; i < queue_rounds; ++i) {
    pthread_barrier_wait(&round_begins);
    if (read(terminal, line, sizeof line) < 0) exit(3);
  }
  return NULL;
}

/* Waits until the thread sleeps in read(terminal). */
static void await_read(pid_t thread) {
  char path[64], call[64], expected[32];
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", thread);
  int length = snprintf(expected, sizeof expected, "%d 0x%x ", (int)SYS_read, (unsigned)terminal);
  do {
    int file = open(path, O_RDONLY);
    ssize_t got = read(file, call, sizeof call - 1);
    close(file);
    call[got > 0 ? got : 0] = 0;
  } while (strncmp(call, expected, (size_t)length) != 0);
}

/* Readers of a terminal hold a mutex while they wait for a line, so the second one waits for the first. */
static int queue(long count) {
  pthread_t threads[2];
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return 3;
  terminal = open(ptsname(master), O_RDONLY | O_NOCTTY);
  if (terminal < 0) return 3;
  queue_rounds = count;
  pthread_barrier_init(&round_begins, NULL, 3);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, reader_main, &reader_ids[i]);
  while (count-- > 0) {
    pthread_barrier_wait(&round_begins);
    for (int i = 0; i < 2; ++i) await_read(reader_ids[i]);
    if (write(master, "a\nb\n", 4) != 4) return 3;
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}

static int pageout(size_t pages) {
  size_t size = pages * 4096;
  char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 3;
  memset(memory, 1, size);
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif
  return madvise(memory, size, MADV_PAGEOUT) == 0 ? 0 : 3;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  long count = argc > 2 ? atol(argv[2]) : 1;
  if (strcmp(mode, "signal") == 0) signals(count);
  else if (strcmp(mode, "wait") == 0) waits(count);
  else if (strcmp(mode, "fault") == 0) faults(count);
  else if (strcmp(mode, "killed") == 0) raise(SIGTERM);
  else if (strcmp(mode, "sleep") == 0) sleeps(count);
  else if (strcmp(mode, "yield") == 0) yields(count);
  else if (strcmp(mode, "threads") == 0) threads(count);
  else if (strcmp(mode, "contend") == 0) return contend(count);
  else if (strcmp(mode, "busy") == 0) return busy(count);
  else if (strcmp(mode, "direct") == 0 && argc > 2) return direct(argv[2]);
  else if (strcmp(mode, "hoard") == 0) hoard();
  else if (strcmp(mode, "queue") == 0) return queue(count);
  else if (strcmp(mode, "pageout") == 0) return pageout((size_t)count);
  else if (strcmp(mode, "reread") == 0 && argc > 3) return reread(argv[2], atol(argv[3]));
  else if (strcmp(mode, "cached") == 0 && argc > 2) return cached(argv[2]);
  else if (strcmp(mode, "exec") == 0 && argc > 2) {
    execl(argv[2], argv[2], (char*)NULL);
    return 7;
  } else return 2;
  return 0;
}
