// grow_perf_map: has generated code and a perf map for it, a file of 200 MB without lines that grows to 64 GB when
// somebody reads it. Prints "ready", calls the code until the file has grown, prints "grown", and goes on.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  // push rbp; mov rbp, rsp; mov eax, SYS_getppid; syscall; pop rbp; ret
  static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0xb8, 110, 0, 0, 0, 0x0f, 0x05, 0x5d, 0xc3};
  void* memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  memcpy(memory, code, sizeof code);

  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
  int file = open(path, O_CREAT | O_EXCL | O_RDWR, 0644), notices = inotify_init();
  if (file < 0 || ftruncate(file, 200L << 20) != 0 || inotify_add_watch(notices, path, IN_ACCESS) < 0) return 1;
  puts("ready");
  fflush(stdout);
  for (struct pollfd watched = {.fd = notices, .events = POLLIN};;) {
    ((void (*)(void))memory)();
    if (watched.fd < 0 || poll(&watched, 1, 1) == 0) continue;
    if (ftruncate(file, 64L << 30) != 0) return 1;
    puts("grown");
    fflush(stdout);
    watched.fd = -1;
  }
}
