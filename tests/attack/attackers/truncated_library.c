// truncated_library FILE: maps FILE and makes system calls with return addresses in it, while another process cuts the
// file to nothing and writes it again and again. A reader that has mapped the file dies by SIGBUS.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Calls getppid(2) with `caller` as the return address of this function.
__attribute__((noinline)) static void call_from(void* caller) {
  void* volatile* frame = __builtin_frame_address(0);
  void* real = frame[1];
  frame[1] = caller;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_getppid) : "rcx", "r11", "memory");
  frame[1] = real;
}

int main(int count, char** arguments) {
  struct stat status;
  int fd = count == 2 ? open(arguments[1], O_RDWR) : -1;
  if (fd < 0 || fstat(fd, &status) != 0) return 2;
  size_t size = (size_t)status.st_size;
  char* content = malloc(size);
  if (read(fd, content, size) != (ssize_t)size) return 2;
  char* code = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  alarm(60);
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (ftruncate(fd, 0) == 0 && pwrite(fd, content, size, 0) == (ssize_t)size) {
    }
    return 1;
  }
  puts("ready");
  fflush(stdout);
  for (size_t at = 0x1000;; at = 0x1000 + (at + 0x35 - 0x1000) % (size - 0x1000)) call_from(code + at);
}
