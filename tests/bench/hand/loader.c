// The user-space half of the hand-written programs, to which dscope is compared. It loads one object with libbpf,
// attaches it, prints "ready", runs until SIGINT or the end of the -c command, and prints the maps.
//   usage: hand_loader OBJECT [-c COMMAND]
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { name_size = 16, path_size = 256, buckets = 64, output_size = 1 << 16 };

static int cpus;

static void die(const char* message) {
  perror(message);
  exit(1);
}

// Sum over all CPUs of the word at `index` of a per-CPU value of `words` words.
static unsigned long long sum(const unsigned long long* values, int words, int index) {
  unsigned long long total = 0;
  for (int cpu = 0; cpu < cpus; cpu++) total += values[cpu * words + index];
  return total;
}

static void print_total(const void* key, const unsigned long long* values) {
  (void)key;
  printf("%llu\n", sum(values, 1, 0));
}

static void print_name(const void* key, const unsigned long long* values) {
  printf("  %-40s %llu\n", (const char*)key, sum(values, 1, 0));
}

static void print_pid(const void* key, const unsigned long long* values) {
  unsigned pid;
  memcpy(&pid, key, sizeof(pid));
  printf("  %8u  %-40s %llu\n", pid, (const char*)key + sizeof(pid), sum(values, 1, 0));
}

static void print_call(const void* key, const unsigned long long* values) {
  unsigned long long count = sum(values, 1, 0);
  if (count) printf("  call %-40u %llu\n", *(const unsigned*)key, count);
}

static void print_path_and_parent(const void* key, const unsigned long long* values) {
  unsigned long long parent;
  memcpy(&parent, (const char*)key + path_size, sizeof(parent));
  printf("  %-40s %8llu %llu\n", (const char*)key, parent, sum(values, 1, 0));
}

static void print_distribution(const void* key, const unsigned long long* values) {
  printf("  %s\n", (const char*)key);
  for (int i = 0; i < buckets; i++) {
    unsigned long long count = sum(values, buckets, i);
    if (count) printf("  %20llu %llu\n", 1ULL << i, count);
  }
}

static void print_lost(const void* key, const unsigned long long* values) {
  (void)key;
  unsigned long long count = sum(values, 1, 0);
  if (count) fprintf(stderr, "lost %llu\n", count);
}

static const struct printer {
  const char* map;
  void (*print)(const void* key, const unsigned long long* values);
} printers[] = {
    {"total", print_total},          {"by_name", print_name}, {"by_pid", print_pid},
    {"by_call", print_call},         {"by_path", print_name}, {"by_path_and_pare", print_path_and_parent},
    {"latency", print_distribution}, {"lost", print_lost},
};

static void print_map(struct bpf_map* map, const struct printer* printer) {
  int fd = bpf_map__fd(map);
  char *key = calloc(2, bpf_map__key_size(map)), *next = key + bpf_map__key_size(map);
  unsigned long long* values = calloc(cpus, bpf_map__value_size(map));
  for (int found = !bpf_map_get_next_key(fd, NULL, next); found; found = !bpf_map_get_next_key(fd, key, next)) {
    memcpy(key, next, bpf_map__key_size(map));
    if (!bpf_map_lookup_elem(fd, key, values)) printer->print(key, values);
  }
  free(values);
  free(key);
}

static void print_maps(struct bpf_object* object) {
  struct bpf_map* map;
  bpf_object__for_each_map(map, object) {
    for (size_t i = 0; i < sizeof(printers) / sizeof(printers[0]); i++) {
      if (!strncmp(bpf_map__name(map), printers[i].map, 16)) print_map(map, &printers[i]);
    }
  }
}

// Record output: decimal numbers go directly into a buffer, which is written when full.
static char output[output_size];
static size_t used;

static void flush_output(void) {
  for (size_t done = 0; done < used;) {
    ssize_t written = write(STDOUT_FILENO, output + done, used - done);
    if (written < 0) die("write");
    done += written;
  }
  used = 0;
}

static void append_number(unsigned number) {
  char digits[10];
  int count = 0;
  do digits[count++] = '0' + number % 10;
  while (number /= 10);
  while (count) output[used++] = digits[--count];
}

static int print_record(void* context, void* data, size_t size) {
  (void)context, (void)size;
  const unsigned* numbers = data;
  if (used > output_size - 32) flush_output();
  append_number(numbers[0]);
  output[used++] = ' ';
  append_number(numbers[1]);
  output[used++] = '\n';
  return 0;
}

// The command (one word) waits behind a pipe until everything is attached.
static pid_t start_command(const char* command, int go[2]) {
  if (pipe(go)) die("pipe");
  pid_t child = fork();
  if (child) return child;
  char byte;
  close(go[1]);
  if (read(go[0], &byte, 1) == 1) execlp(command, command, NULL);
  _exit(127);
}

static void wait_for_end(struct ring_buffer* ring, const sigset_t* ends) {
  const struct timespec interval = {0, 10 * 1000 * 1000};
  if (!ring) {
    sigwaitinfo(ends, NULL);
    return;
  }
  while (sigtimedwait(ends, NULL, &interval) < 0) {
    ring_buffer__consume(ring);
    flush_output();
  }
}

// True if the object's program runs once instead of being attached, and requests exit.
static int run_begin(struct bpf_object* object) {
  struct bpf_program* begin = bpf_object__find_program_by_name(object, "begin");
  if (!begin) return 0;
  LIBBPF_OPTS(bpf_test_run_opts, options);
  if (bpf_prog_test_run_opts(bpf_program__fd(begin), &options)) die("test run");
  return options.retval == 1;
}

static void attach(struct bpf_object* object, struct bpf_link** links, int max_links) {
  struct bpf_program* program;
  int count = 0;
  bpf_object__for_each_program(program, object) {
    if (count < max_links && !(links[count++] = bpf_program__attach(program))) die("attach");
  }
}

int main(int argc, char** argv) {
  if (argc != 2 && !(argc == 4 && !strcmp(argv[2], "-c"))) {
    fprintf(stderr, "usage: hand_loader OBJECT [-c COMMAND]\n");
    return 2;
  }
  cpus = libbpf_num_possible_cpus();
  int go[2];
  pid_t child = argc == 4 ? start_command(argv[3], go) : 0;
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, NULL);

  struct bpf_object* object = bpf_object__open_file(argv[1], NULL);
  if (!object || bpf_object__load(object)) die(argv[1]);
  if (run_begin(object)) return 0;
  struct bpf_link* links[2] = {NULL, NULL};
  attach(object, links, 2);
  int records = bpf_object__find_map_fd_by_name(object, "records");
  struct ring_buffer* ring = records < 0 ? NULL : ring_buffer__new(records, print_record, NULL, NULL);
  if (write(STDOUT_FILENO, "ready\n", 6) != 6) die("write");
  if (child && write(go[1], "!", 1) != 1) die("write");

  wait_for_end(ring, &ends);
  for (int i = 0; i < 2; i++) bpf_link__destroy(links[i]);
  if (ring) {
    ring_buffer__consume(ring);
    flush_output();
  }
  print_maps(object);
  if (child) waitpid(child, NULL, 0);
  return 0;
}
