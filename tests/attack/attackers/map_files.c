// map_files FILE...: maps the first pages of each file as code, prints "ready", and calls the code at offset 0x1000 of
// each mapping in turn, until it is killed.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

enum { code_offset = 0x1000, mapped_size = 0x2000, max_files = 64 };

int main(int argc, char** argv) {
  void (*functions[max_files])(void);
  int count = 0;
  for (int i = 1; i < argc && count < max_files; ++i) {
    int fd = open(argv[i], O_RDONLY);
    char* start = mmap(NULL, mapped_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    if (start == MAP_FAILED) {
      perror(argv[i]);
      return 1;
    }
    functions[count++] = (void (*)(void))(start + code_offset);
  }
  puts("ready");
  fflush(stdout);
  for (struct timespec pause = {.tv_nsec = 2000000}; count > 0; nanosleep(&pause, NULL))
    for (int i = 0; i < count; ++i) functions[i]();
}
