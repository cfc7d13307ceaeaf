// victim LIBRARY STOP: checks a variable and a function of LIBRARY until the file STOP exists. Prints "fine", or
// "changed" as soon as a breakpoint or a counter has changed one of them.
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char** arguments) {
  void* library = count == 3 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (library == NULL) return 2;
  unsigned long (*constant)(void) = (unsigned long (*)(void))dlsym(library, "victim_constant");
  volatile short* variable = (volatile short*)dlsym(library, "victim_variable");
  puts("ready");
  fflush(stdout);
  while (access(arguments[2], F_OK) != 0) {
    if (constant() != 0x1122334455667788 || *variable != 7) {
      puts("changed");
      return 1;
    }
  }
  puts("fine");
  return 0;
}
