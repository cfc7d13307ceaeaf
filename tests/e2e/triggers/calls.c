/* Makes a known number of system calls and exits: the workload of the end-to-end tests.
 *   calls getppid N        N times getppid()
 *   calls open PATH N      N times open(PATH) and close()
 *   calls write N          N writes of 1, 2, ... N bytes to /dev/null
 *   calls text STRING N    N writes of STRING to /dev/null
 *   calls fork N           N children that exit with status 3
 *   calls each N           N times each call in rare_calls, in that order
 *   calls exec PATH        executes that program
 *   calls name NAME N      N times getppid() in a process of that name
 *   calls threads T N      T threads, each with N times getppid()
 *   calls send STRING N    N datagrams of STRING to port 9 of this machine
 *   calls spin MS          CPU time of MS milliseconds in user mode
 *   calls touch N          first writes to N pages
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long number(char** argv, int i) { return argv[i] ? atol(argv[i]) : 1; }

static void getppids(long count) {
  while (count-- > 0) syscall(SYS_getppid);
}

/* System calls that neither the C library nor the tracer makes, and that have no effect with arguments of 0.
 * tests/oracle/site.cpp lists them too. */
static const long rare_calls[] = {SYS_getpgid,
                                  SYS_getsid,
                                  SYS_sched_getscheduler,
                                  SYS_sched_getparam,
                                  SYS_getpriority,
                                  SYS_getitimer,
                                  SYS_sched_get_priority_max,
                                  SYS_sysinfo,
                                  SYS_getresuid,
                                  SYS_sched_get_priority_min,
                                  SYS_getresgid,
                                  SYS_getgroups,
                                  SYS_sched_rr_get_interval,
                                  SYS_times,
                                  SYS_mincore,
                                  SYS_ioprio_get,
                                  SYS_timer_getoverrun,
                                  SYS_getcpu};

/* The fifth argument of the calls below, which ignore it, points to known bytes: tests/oracle/user_memory.h. */
struct memory {
  unsigned char bytes[56];
  unsigned thread, event;
  const void* pointers[4];
};

static void fill(struct memory* memory, unsigned thread) {
  memset(memory, 0, sizeof *memory);
  memcpy(memory->bytes, "pointers\0lead to user memory", 28);
  for (unsigned i = 32; i < sizeof memory->bytes; ++i) memory->bytes[i] = (unsigned char)(i * 37 + 11);
  memory->thread = thread;
  memory->pointers[0] = memory->bytes;
  memory->pointers[1] = memory->bytes + 16;
  memory->pointers[2] = &memory->pointers[1];
}

static void each_rare_call(void) {
  struct memory memory;
  fill(&memory, 0);
  for (size_t i = 0; i < sizeof rare_calls / sizeof *rare_calls; ++i) syscall(rare_calls[i], 0, 0, 0, 0, &memory, 0);
}

static int send_datagrams(const char* text, long count) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  while (fd >= 0 && count-- > 0) sendto(fd, text, strlen(text), 0, (struct sockaddr*)&to, sizeof to);
  return fd < 0;
}

static pthread_barrier_t all_started;

static void* thread_main(void* count) {
  static unsigned threads;
  struct memory memory;
  fill(&memory, __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED));
  pthread_barrier_wait(&all_started);
  for (; memory.event < (unsigned long)count; ++memory.event) syscall(SYS_getppid, 0, 0, 0, 0, &memory, 0);
  return NULL;
}

static void spin(long milliseconds) {
  struct timespec now;
  do {
    for (volatile int i = 0; i < 100000; ++i) {
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < milliseconds);
}

static int touch(long pages) {
  size_t size = (size_t)pages * 4096;
  char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  madvise(memory, size, MADV_NOHUGEPAGE);
  for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (strcmp(argv[1], "getppid") == 0) {
    getppids(number(argv, 2));
  } else if (strcmp(argv[1], "open") == 0) {
    for (long i = number(argv, 3); i > 0; --i) {
      int fd = open(argv[2], O_RDONLY);
      if (fd >= 0) close(fd);
    }
  } else if (strcmp(argv[1], "write") == 0) {
    static char bytes[65536];
    int fd = open("/dev/null", O_WRONLY);
    for (long i = 1; i <= number(argv, 2); ++i)
      if (write(fd, bytes, (size_t)i) != i) return 1;
  } else if (strcmp(argv[1], "text") == 0) {
    int fd = open("/dev/null", O_WRONLY);
    for (long i = number(argv, 3); i > 0; --i)
      if (write(fd, argv[2], strlen(argv[2])) < 0) return 1;
  } else if (strcmp(argv[1], "fork") == 0) {
    for (long i = number(argv, 2); i > 0; --i) {
      pid_t child = fork();
      if (child == 0) _exit(3);
      waitpid(child, NULL, 0);
    }
  } else if (strcmp(argv[1], "each") == 0) {
    for (long i = number(argv, 2); i > 0; --i) each_rare_call();
  } else if (strcmp(argv[1], "exec") == 0) {
    execl(argv[2], argv[2], (char*)NULL);
    return 1;
  } else if (strcmp(argv[1], "name") == 0) {
    prctl(PR_SET_NAME, argv[2]);
    getppids(number(argv, 3));
  } else if (strcmp(argv[1], "threads") == 0) {
    pthread_t threads[64];
    long count = number(argv, 2);
    pthread_barrier_init(&all_started, NULL, (unsigned)count);
    for (long i = 0; i < count; ++i) pthread_create(&threads[i], NULL, thread_main, (void*)number(argv, 3));
    for (long i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  } else if (strcmp(argv[1], "send") == 0) {
    return send_datagrams(argv[2], number(argv, 3));
  } else if (strcmp(argv[1], "touch") == 0) {
    return touch(number(argv, 2));
  } else if (strcmp(argv[1], "spin") == 0) {
    spin(number(argv, 2));
  } else {
    return 2;
  }
  return 0;
}
