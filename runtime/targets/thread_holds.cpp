#include "runtime/targets/thread_holds.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dscope {
namespace {

// The signal to deliver when the thread continues: the one it stopped for, or 0.
long signal_to_pass(int status) { return status >> 16 == 0 ? WSTOPSIG(status) : 0; }

// True if the thread has been continued or has ended.
bool try_release(pid_t thread) {
  int status = 0;
  pid_t found = ::waitpid(thread, &status, WNOHANG | __WALL);
  if (found > 0 && WIFSTOPPED(status)) ::ptrace(PTRACE_DETACH, thread, nullptr, signal_to_pass(status));
  return found != 0;
}

}  // namespace

bool ThreadHolds::hold(pid_t thread) {
  if (threads_.contains(thread)) return true;
  if (::ptrace(PTRACE_SEIZE, thread, nullptr, 0L) != 0) return false;
  ::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
  threads_.insert(thread);
  return true;
}

void ThreadHolds::release() {
  constexpr int max_rounds = 20;
  for (int i = 0; !threads_.empty() && i < max_rounds; ++i) {
    if (i != 0) ::usleep(100);
    std::erase_if(threads_, try_release);
  }
}

}  // namespace dscope
