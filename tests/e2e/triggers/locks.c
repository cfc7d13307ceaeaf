/* Locks, each acquired in every way a known number of times.
 *   locks    a contended mutex, a mutex locked twice, a lock with a reader and a writer, failures
 *   locks X  a mutex that is released while the thread waits for a condition, which is signaled the first time
 *            and not the second time
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t contended = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void* wait_for_mutex(void* unused) {
  pthread_mutex_lock(&contended);
  pthread_mutex_unlock(&contended);
  return unused;
}

static void* wait_for_writer(void* unused) {
  pthread_rwlock_rdlock(&shared);
  pthread_rwlock_unlock(&shared);
  return unused;
}

/* In glibc, a mutex with waiters has the lock word 2. */
static void contend(void) {
  pthread_t thread;
  pthread_mutex_lock(&contended);
  if (pthread_create(&thread, NULL, wait_for_mutex, NULL) != 0) abort();
  while (*(volatile int*)&contended != 2) sched_yield();
  if (pthread_mutex_trylock(&contended) != EBUSY) abort();
  pthread_mutex_unlock(&contended);
  pthread_join(thread, NULL);
}

/* Waits for a mutex that it holds itself, with a timeout. */
static void give_up(void) {
  struct timespec past = {.tv_sec = 1};
  pthread_mutex_lock(&contended);
  if (pthread_mutex_timedlock(&contended, &past) != ETIMEDOUT) abort();
  pthread_mutex_unlock(&contended);
}

/* An error-checking mutex cannot be unlocked by a thread that does not hold it. */
static void fail_to_unlock(void) {
  static pthread_mutex_t checked;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &kind);
  if (pthread_mutex_unlock(&checked) != EPERM) abort();
}

static void repeat(void) {
  static pthread_mutex_t recursive; /* static, so that all locks of this program are adjacent */
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &kind);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
}

/* In glibc, a bit in the lock's writer phase word says that readers wait. */
static void share(void) {
  pthread_t thread;
  pthread_rwlock_rdlock(&shared);
  if (pthread_rwlock_trywrlock(&shared) != EBUSY) abort();
  pthread_rwlock_unlock(&shared);
  pthread_rwlock_wrlock(&shared);
  if (pthread_create(&thread, NULL, wait_for_writer, NULL) != 0) abort();
  while ((((volatile unsigned*)&shared)[2] & 2) == 0) sched_yield();
  pthread_rwlock_unlock(&shared);
  pthread_join(thread, NULL);
}

static pthread_mutex_t condition_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

/* glibc counts waiters in the upper 63 bits of a condition's first word. Does not lock the mutex, to avoid contention.
 */
static void* signal_condition(void* unused) {
  while (*(volatile unsigned long*)&condition >> 1 == 0) sched_yield();
  pthread_cond_signal(&condition);
  return unused;
}

static void wait_for_conditions(void) {
  pthread_t thread;
  struct timespec past = {.tv_sec = 1};
  pthread_mutex_lock(&condition_mutex);
  if (pthread_create(&thread, NULL, signal_condition, NULL) != 0) abort();
  pthread_cond_wait(&condition, &condition_mutex);
  pthread_join(thread, NULL);
  if (pthread_cond_timedwait(&condition, &condition_mutex, &past) != ETIMEDOUT) abort();
  pthread_mutex_unlock(&condition_mutex);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) {
    wait_for_conditions();
    return 0;
  }
  contend();
  give_up();
  fail_to_unlock();
  repeat();
  share();
  return 0;
}
