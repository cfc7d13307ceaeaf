/* Waits for SIGUSR1. The second thread takes the signal and executes another program in place of the process.
 *   execs PROGRAM ARGUMENTS...   as above
 *   execs                        never reaches main(): a constructor prints "blocked" and waits to be killed
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void construct(int argc) {
  if (argc > 1) return;
  if (write(1, "blocked\n", 8) < 0) abort();
  for (;;) pause();
}

static void* execute(void* arguments) {
  char** words = arguments;
  sigset_t wanted;
  int number = 0;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  sigwait(&wanted, &number);
  execv(words[0], words);
  abort();
}

int main(int argc, char** argv) {
  pthread_t thread;
  sigset_t blocked;
  (void)argc;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  if (pthread_create(&thread, NULL, execute, argv + 1) != 0) return 1;
  for (;;) pause();
}
