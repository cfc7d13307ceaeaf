/* Generates a function at run time, names it in /tmp/perf-PID.map as JIT compilers do, and calls it a hundred times a
 * second. The function calls getppid().
 *   jits        in anonymous memory
 *   jits file   in a memory file, mapped once writable and once executable
 *   jits end    in anonymous memory; exits after a few calls, and writes the map only then, as a JVM does
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 4096

#ifdef __x86_64__
/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
static const unsigned char body[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
#else
static const unsigned char body[] = {0};
#endif

int main(int argc, char** argv) {
  int is_file = argc > 1 && strcmp(argv[1], "file") == 0, ends = argc > 1 && !is_file;
  unsigned char *to_write, *code;
  char path[64];
  FILE* map;
  if (is_file) {
    int file = memfd_create("made", 0);
    if (ftruncate(file, SIZE) != 0) return 1;
    to_write = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    code = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
  } else {
    code = to_write = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  if (to_write == MAP_FAILED || code == MAP_FAILED) return 2;
  memcpy(to_write, body, sizeof body);
  for (int i = 0; ends && i < 10; ++i) ((int (*)(int (*)(void)))code)(getppid);
  snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
  map = fopen(path, "w");
  if (map == NULL) return 3;
  fprintf(map, ends ? "0x%lx 0x%zx made by a compiler\n" : "%lx %zx made by a compiler\n", (unsigned long)code,
          sizeof body);
  fclose(map);
  if (ends) return 0;
  for (;;) {
    ((int (*)(int (*)(void)))code)(getppid);
    usleep(10000);
  }
}
