#include "runtime/targets/target_watch.h"

#include <elf.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "runtime/elf/process_maps.h"
#include "runtime/targets/dynamic_linker.h"
#include "runtime/targets/dynamic_linker_probe.h"
#include "runtime/targets/stepping.h"
#include "support/format.h"
#include "support/text/parse_integer.h"

namespace dscope {
namespace {

// A global, because signal handlers have no other state.
volatile sig_atomic_t child_event = -1;

void on_child(int) {
  int saved_errno = errno;
  eventfd_write(child_event, 1);
  errno = saved_errno;
}

bool is_stop_signal(int number) {
  return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

// True if a DynamicLinkerProbe has stopped the thread: the signal comes from the kernel and the thread is in the code
// of its dynamic linker. The kernel also sends SIGURG for urgent data on a socket.
bool is_stopped_by_linker_probe(pid_t thread, int status) {
  if (status >> 16 != 0 || WSTOPSIG(status) != DynamicLinkerProbe::signal) return false;
  siginfo_t info{};
  bool is_from_kernel = ::ptrace(PTRACE_GETSIGINFO, thread, nullptr, &info) == 0 && info.si_code == SI_KERNEL;
  auto pc = is_from_kernel ? program_counter(thread) : std::nullopt;
  auto linker = pc ? auxiliary_value(thread, AT_BASE) : std::nullopt;
  auto maps = linker ? ProcessMaps::read(static_cast<uint32_t>(thread)) : std::nullopt;
  const Mapping* here = maps ? maps->find(*pc) : nullptr;
  const Mapping* base = maps ? maps->find(*linker) : nullptr;
  return here != nullptr && base != nullptr && here->inode == base->inode && here->device == base->device;
}

// The signal to deliver when a stopped thread continues: 0 if it did not stop for a signal, or for the linker probe's.
long signal_to_pass(pid_t thread, int status) {
  return status >> 16 != 0 || is_stopped_by_linker_probe(thread, status) ? 0 : WSTOPSIG(status);
}

}  // namespace

// Uses a SIGCHLD handler instead of a signalfd, because programs executed by system() would inherit the blocked signal.
Result<TargetWatch> TargetWatch::start(Scope scope) {
  Fd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!event) return fail(Error::from_errno(errno, "cannot create an eventfd"));
  child_event = event.get();
  struct sigaction action{};
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGCHLD, &action, nullptr);
  return TargetWatch{std::move(event), scope};
}

// Clones are traced because any thread may execute a program or load a library, and only a tracer of that thread is
// notified.
long TargetWatch::options() const {
  return PTRACE_O_TRACECLONE | (scope_.has_execs ? PTRACE_O_TRACEEXEC : 0) |
         (scope_.has_children ? PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK : 0);
}

void TargetWatch::take_over(pid_t pid) {
  ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, options());
  pids_.insert(pid);
  processes_.insert(pid);
  seize_threads(pid);
  ::ptrace(PTRACE_CONT, pid, nullptr, 0L);
}

void TargetWatch::seize(pid_t pid) {
  if (::ptrace(PTRACE_SEIZE, pid, nullptr, options()) != 0) return;
  pids_.insert(pid);
  processes_.insert(pid);
  seize_threads(pid);
}

// Seizes the existing threads. A thread created during one pass over /proc/PID/task may be missed, so this repeats
// until a pass finds no new one.
void TargetWatch::seize_threads(pid_t pid) {
  constexpr int max_rounds = 10;
  bool has_new = true;
  for (int i = 0; has_new && i < max_rounds; ++i) {
    has_new = false;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator{fmt::format("/proc/{}/task", pid), problem}) {
      pid_t thread = parse_integer<pid_t>(entry.path().filename().native()).value_or(pid);
      if (pids_.contains(thread) || ::ptrace(PTRACE_SEIZE, thread, nullptr, options()) != 0) continue;
      pids_.insert(thread);
      has_new = true;
    }
  }
}

void TargetWatch::handle(const Handlers& handlers) {
  eventfd_t count;
  eventfd_read(event_.get(), &count);
  // A handler may insert children anywhere in the set; each child raises its own SIGCHLD, so missing it here is
  // harmless.
  for (auto at = pids_.begin(); at != pids_.end();) {
    pid_t pid = *at;
    int status = 0;
    pid_t found = ::waitpid(pid, &status, WNOHANG | __WALL);
    bool has_ended = (found < 0 && errno == ECHILD) || (found > 0 && !WIFSTOPPED(status));
    if (has_ended) at = pids_.erase(at);
    else if (found > 0) handle_stop(pid, status, handlers);  // another stop may follow at once
    else ++at;
  }
}

void TargetWatch::handle_stop(pid_t pid, int status, const Handlers& handlers) {
  int number = WSTOPSIG(status), event = status >> 16;
  if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE) {
    unsigned long child = 0;
    ::ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &child);
    pids_.insert(static_cast<pid_t>(child));
    if (event != PTRACE_EVENT_CLONE) handlers.on_fork(pid, static_cast<pid_t>(child));
    // The child's first stop may have happened before it was in the set: check again.
    eventfd_write(event_.get(), 1);
  }
  // A clone need not be a thread; a cloned process counts only if children are watched.
  if (event == PTRACE_EVENT_EXEC && is_watched(pid)) {
    handlers.on_exec(pid);
    // The handler may have consumed events of other processes: check again.
    eventfd_write(event_.get(), 1);
    ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, options());
  }
  if (is_stopped_by_linker_probe(pid, status)) handlers.on_load();
  if (event == PTRACE_EVENT_STOP && is_stop_signal(number)) ::ptrace(PTRACE_LISTEN, pid, nullptr, nullptr);
  else ::ptrace(PTRACE_CONT, pid, nullptr, signal_to_pass(pid, status));
}

bool TargetWatch::wait(int stop_fd) const {
  pollfd items[] = {{.fd = event_.get(), .events = POLLIN, .revents = 0},
                    {.fd = stop_fd, .events = POLLIN, .revents = 0}};
  int found = ::poll(items, 2, -1);
  if (found > 0 && items[1].revents != 0) return false;
  eventfd_t count;
  eventfd_read(event_.get(), &count);
  return true;
}

// Waits at most 100 ms: a process that waits for its vfork(2) child cannot stop. The exit of this process detaches it
// too.
void TargetWatch::release() {
  constexpr int max_rounds = 100;
  for (pid_t pid : pids_) ::ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr);
  for (int i = 0; !pids_.empty() && i < max_rounds; ++i) {
    if (i != 0) ::usleep(1000);
    std::erase_if(pids_, [](pid_t pid) {
      int status = 0;
      pid_t found = ::waitpid(pid, &status, WNOHANG | __WALL);
      if (found > 0 && WIFSTOPPED(status)) ::ptrace(PTRACE_DETACH, pid, nullptr, signal_to_pass(pid, status));
      return found != 0;
    });
  }
  if (event_ && child_event == event_.get()) {
    ::signal(SIGCHLD, SIG_DFL);
    child_event = -1;
  }
}

}  // namespace dscope
