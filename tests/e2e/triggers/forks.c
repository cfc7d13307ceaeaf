/* worked(1) in the program, worked(2) in a child of fork(2), worked(3) in its child, worked(4) in a child of vfork(2).
 */
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, noclone, used)) int worked(int n) {
  __asm__ volatile("" : "+r"(n));
  return n;
}

int main(void) {
  worked(1);
  if (fork() == 0) {
    worked(2);
    if (fork() == 0) {
      worked(3);
      _exit(0);
    }
    wait(NULL);
    _exit(0);
  }
  wait(NULL);
  if (vfork() == 0) {
    worked(4);
    _exit(0);
  }
  wait(NULL);
  return 0;
}
