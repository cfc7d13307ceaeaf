/* Executes itself repeatedly, in children and in its own process. Each program calls worked() and getppid() once.
 *   repeats N   N - 1 more times in its own process, with two children each time
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void worked(int n) { __asm__ volatile("" : : "r"(n)); }

int main(int argc, char** argv) {
  int left = argc > 1 ? atoi(argv[1]) : 0;
  worked(left);
  getppid();
  for (int i = 0; left > 0 && i < 2; ++i) {
    pid_t child = fork();
    if (child == 0) execl(argv[0], argv[0], (char*)NULL);
    waitpid(child, NULL, 0);
  }
  char number[16];
  snprintf(number, sizeof number, "%d", left - 1);
  if (left > 1) execl(argv[0], argv[0], number, (char*)NULL);
  return 0;
}
