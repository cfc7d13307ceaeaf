/* Children that have never touched the memory their system calls refer to: pages of a file, shared with the parent, not
 * in the child's page tables yet.
 *   newborn exec N      executes /bin/true in N children, one after the other
 *   newborn open        opens a file whose path starts on one page and ends on the next
 *   newborn missing     opens a path in memory that no process has ever touched
 *   newborn wait SIGNAL A B ...   sleeps in a child with these arguments until the signal kills it
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* "/dev/null" across a page boundary, in memory that is never written. */
static const struct {
  char before[4096 - 5], name[4096];
} __attribute__((aligned(4096))) pages = {.before = {1}, .name = "/dev/null"};

static void execute(int times) {
  for (int i = 0; i < times; ++i) {
    if (fork() == 0) {
      execl("/bin/true", "true", (char*)NULL);
      _exit(1);
    }
    wait(NULL);
  }
}

static void open_in_child(const char* name) {
  if (fork() == 0) {
    open(name, O_RDONLY);
    _exit(0);
  }
  wait(NULL);
}

static void send_signal(int number) {
  int ready[2];
  if (pipe(ready) != 0) abort();
  pid_t child = fork();
  if (child == 0) {
    if (write(ready[1], "", 1) != 1) abort();
    for (;;) pause();
  }
  char byte;
  if (read(ready[0], &byte, 1) != 1) abort();
  kill(child, number);
  wait(NULL);
}

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  if (strcmp(argv[1], "exec") == 0 && argc == 3) execute(atoi(argv[2]));
  if (strcmp(argv[1], "open") == 0) {
    /* The parent reads the page, so that it is resident. */
    close(open(pages.name, O_RDONLY));
    open_in_child(pages.name);
  }
  if (strcmp(argv[1], "missing") == 0)
    open_in_child(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (strcmp(argv[1], "wait") == 0) send_signal(atoi(argv[2]));
  return 0;
}
