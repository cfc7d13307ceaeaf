#include "runtime/exec_watch.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dscope {
namespace {

// Handlers can reach nothing but globals.
volatile sig_atomic_t child_event = -1;

void on_child(int) {
  int saved_errno = errno;
  eventfd_write(child_event, 1);
  errno = saved_errno;
}

bool is_stop_signal(int number) {
  return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

}  // namespace

// A handler, as a blocked signal would stay blocked in what system() executes.
Result<ExecWatch> ExecWatch::start(Children children) {
  Fd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!event) return fail(Error::from_errno(errno, "cannot create an eventfd"));
  child_event = event.get();
  struct sigaction action{};
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGCHLD, &action, nullptr);
  return ExecWatch{std::move(event), children};
}

long ExecWatch::options() const {
  return children_ == Children::Watch ? PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
                                      : PTRACE_O_TRACEEXEC;
}

void ExecWatch::take_over(pid_t pid) {
  ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, options());
  pids_.insert(pid);
  ::ptrace(PTRACE_CONT, pid, nullptr, 0L);
}

void ExecWatch::seize(pid_t pid) {
  if (::ptrace(PTRACE_SEIZE, pid, nullptr, options()) == 0) pids_.insert(pid);
}

void ExecWatch::handle(const std::function<void(pid_t pid)>& on_exec) {
  eventfd_t count;
  eventfd_read(event_.get(), &count);
  // Handling may add children, at any place of the order: those have a signal of their own to come.
  for (auto at = pids_.begin(); at != pids_.end();) {
    pid_t pid = *at;
    int status = 0;
    pid_t found = ::waitpid(pid, &status, WNOHANG | __WALL);
    bool is_gone = (found < 0 && errno == ECHILD) || (found > 0 && !WIFSTOPPED(status));
    if (is_gone) at = pids_.erase(at);
    else if (found > 0) handle_stop(pid, status, on_exec);  // there may be another at once
    else ++at;
  }
}

void ExecWatch::handle_stop(pid_t pid, int status, const std::function<void(pid_t pid)>& on_exec) {
  int number = WSTOPSIG(status), event = status >> 16;
  if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) {
    unsigned long child = 0;
    ::ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &child);
    pids_.insert(static_cast<pid_t>(child));
    // Its first stop may have come before anybody waited for it.
    eventfd_write(event_.get(), 1);
  }
  if (event == PTRACE_EVENT_EXEC) {
    on_exec(pid);
    ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, options());
  }
  if (event == PTRACE_EVENT_STOP && is_stop_signal(number)) ::ptrace(PTRACE_LISTEN, pid, nullptr, nullptr);
  else ::ptrace(PTRACE_CONT, pid, nullptr, static_cast<long>(event == 0 ? number : 0));
}

// Not for long: a process may be where it cannot stop, waiting for a child of vfork(2). Our end lets it go as well.
void ExecWatch::release() {
  constexpr int most_rounds = 100;
  for (pid_t pid : pids_) ::ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr);
  for (int i = 0; !pids_.empty() && i < most_rounds; ++i) {
    if (i != 0) ::usleep(1000);
    std::erase_if(pids_, [](pid_t pid) {
      int status = 0;
      pid_t found = ::waitpid(pid, &status, WNOHANG | __WALL);
      if (found > 0 && WIFSTOPPED(status))
        ::ptrace(PTRACE_DETACH, pid, nullptr, static_cast<long>(status >> 16 == 0 ? WSTOPSIG(status) : 0));
      return found != 0;
    });
  }
  if (event_ && child_event == event_.get()) {
    ::signal(SIGCHLD, SIG_DFL);
    child_event = -1;
  }
}

}  // namespace dscope
