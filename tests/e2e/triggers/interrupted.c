/* System calls that a signal with a handler interrupts: pause(2), nanosleep(2) and a read(2) from an empty pipe, once
 * each.
 */
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void handle(int signal) { (void)signal; }

int main(void) {
  struct sigaction action = {.sa_handler = handle}; /* without SA_RESTART */
  sigaction(SIGALRM, &action, NULL);
  int ends[2];
  if (pipe(ends) != 0) return 1;
  /* Repeats the signal, because one that arrives between two calls is lost. */
  struct itimerval often = {.it_interval = {.tv_usec = 20000}, .it_value = {.tv_usec = 20000}};
  setitimer(ITIMER_REAL, &often, NULL);
  pause();
  struct timespec long_time = {.tv_sec = 600};
  nanosleep(&long_time, NULL);
  char byte;
  return read(ends[0], &byte, 1) == -1 ? 0 : 1;
}
