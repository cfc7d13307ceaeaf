/* Writes to each of N pages, in cases where the kernel copies them and in cases where it does not. Calls getppid()
 * before and after each case:
 *   1  pages shared with a child: copied
 *   2  the same pages after the child has ended
 *   3  pages of a shared file mapping, read before
 *   4  pages of a private file mapping, read before: copied
 *   5  pages of a private file mapping, not read before: copied
 *   6  anonymous memory, read before it is written
 * Usage: copies N [FOLDER]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { page = 4096 };

static size_t size;
static volatile char sum;

static char* map(int flags, int fd) {
  char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
  if (memory == MAP_FAILED) exit(1);
  madvise(memory, size, MADV_NOHUGEPAGE);
  return memory;
}

static char* map_file(int flags, const char* path) {
  FILE* file = fopen(path, "r+");
  if (file == NULL) exit(1);
  char* memory = map(flags, fileno(file));
  fclose(file);
  return memory;
}

static void read_all(const char* memory) {
  for (size_t at = 0; at < size; at += page) sum = (char)(sum + memory[at]);
}

static void write_all(char* memory) {
  for (size_t at = 0; at < size; at += page) memory[at] = 1;
}

static void write_marked(char* memory) {
  syscall(SYS_getppid);
  write_all(memory);
  syscall(SYS_getppid);
}

int main(int argc, char** argv) {
  size = (size_t)(argc > 1 ? atol(argv[1]) : 1) * page;
  char path[4096];
  snprintf(path, sizeof path, "%s/dscope-copies-XXXXXX", argc > 2 ? argv[2] : "/tmp");
  int fd = mkstemp(path);
  if (fd < 0 || ftruncate(fd, (off_t)size) != 0) return 1;
  char* filled = map(MAP_SHARED, fd);
  write_all(filled);
  if (msync(filled, size, MS_SYNC) != 0) return 1;

  char* common = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
  write_all(common);
  pid_t child = fork();
  if (child == 0) {
    write_marked(common);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  write_marked(common);

  read_all(filled);
  write_marked(filled);

  char* own = map_file(MAP_PRIVATE, path);
  read_all(own);
  write_marked(own);
  write_marked(map_file(MAP_PRIVATE, path));

  char* zeroes = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
  read_all(zeroes);
  write_marked(zeroes);
  return unlink(path);
}
