/* A program that does work before main(): constructed(1), in a constructor that also forks a child, which exits in
 * main(). Then worked(2) in main().
 *   starts          as above
 *   starts PROGRAM  executes PROGRAM in the constructor instead
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_INLINE __attribute__((noinline, noclone, used))

NOT_INLINE int constructed(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}

NOT_INLINE int worked(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}

static pid_t child = -1;

__attribute__((constructor)) static void construct(int argc, char** argv) {
  if (argc > 1) execv(argv[1], argv + 1);
  constructed(1);
  child = fork();
}

int main(void) {
  int status = 0;
  if (child == 0) return 0;
  worked(2);
  /* A child that hit a breakpoint of its parent did not exit normally. */
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
