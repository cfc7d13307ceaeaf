/* Loads libplugin.so from its own directory and calls plugged(7).
 *   loads [N]      N times, a thousand times a second (default: once)
 *   loads N child  the same, in a child
 *   loads N wait   reads a byte first
 *   loads N again  first loads and unloads the library N times
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char path[4096];
  const char* slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  if (slash == NULL) return 1;
  snprintf(path, sizeof path, "%.*s/libplugin.so", (int)(slash - argv[0]), argv[0]);
  if (argc > 2 && strcmp(argv[2], "again") == 0) {
    for (long i = atol(argv[1]); i > 0; --i) {
      void* again = dlopen(path, RTLD_NOW);
      if (again == NULL) return 5;
      dlclose(again);
    }
    argc = 1;
  }
  if (argc > 2 && strcmp(argv[2], "wait") == 0) argc = getchar() != EOF ? 1 : 0;
  if (argc > 2) {
    int status = 1;
    pid_t child = fork();
    if (child != 0) return waitpid(child, &status, 0) == child && status == 0 ? 0 : 4;
  }
  void* library = dlopen(path, RTLD_NOW);
  if (library == NULL) return 2;
  int (*plugged)(int) = (int (*)(int))dlsym(library, "plugged");
  for (long i = argc > 1 ? atol(argv[1]) : 1; plugged != NULL && i > 1; --i) {
    plugged(7);
    usleep(1000);
  }
  return plugged != NULL && plugged(7) == 8 ? 0 : 3;
}
