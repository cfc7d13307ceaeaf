#include "live/terminal_guard.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace dscope {

namespace {

bool has_same_modes(const termios& a, const termios& b) {
  return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_cflag == b.c_cflag && a.c_lflag == b.c_lflag &&
         std::memcmp(a.c_cc, b.c_cc, sizeof a.c_cc) == 0;
}

// Waits for a byte (the terminal is restored) or the end of the process. Runs in the child, which was forked from a
// process with unknown locks: system calls only.
bool must_restore(int pipe, int process) {
  pollfd files[] = {{.fd = pipe, .events = POLLIN, .revents = 0}, {.fd = process, .events = POLLIN, .revents = 0}};
  for (;;) {
    if (::poll(files, process >= 0 ? 2 : 1, -1) < 0) continue;
    char byte;
    // The process may have written the byte and exited since.
    ssize_t length = (files[0].revents & (POLLIN | POLLHUP)) != 0 ? ::read(pipe, &byte, 1) : -1;
    if (length == 1) return false;
    if (length == 0 || files[1].revents != 0) return true;
  }
}

[[noreturn]] void watch(const TerminalGuard::Restoration& restoration, int pipe, int process) {
  ::setsid();
  ::prctl(PR_SET_NAME, "dscope-terminal");
  // The terminal must be restored before the shell prints its prompt on the screen that is about to vanish.
  sched_param priority{.sched_priority = 1};
  if (::sched_setscheduler(0, SCHED_FIFO, &priority) != 0) ::setpriority(PRIO_PROCESS, 0, -20);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTOU, SIGPIPE}) ::signal(signal, SIG_IGN);
  // Other descriptors, such as pipes of the tracer, must not stay open here.
  constexpr int first = 100;
  int terminal = ::fcntl(restoration.terminal, F_DUPFD, first);
  pipe = ::fcntl(pipe, F_DUPFD, first);
  process = process >= 0 ? ::fcntl(process, F_DUPFD, first) : -1;
  ::syscall(SYS_close_range, 0U, static_cast<unsigned>(first - 1), 0U);
  ::syscall(SYS_close_range, static_cast<unsigned>(std::max({terminal, pipe, process}) + 1), ~0U, 0U);
  if (must_restore(pipe, process)) {
    termios now{};
    if (::tcgetattr(terminal, &now) == 0 && has_same_modes(now, restoration.during))
      ::tcsetattr(terminal, TCSANOW, &restoration.before);
    if (::write(terminal, restoration.sequences.data(), restoration.sequences.size()) < 0) ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace

Result<TerminalGuard> TerminalGuard::start(const Restoration& restoration) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(Error::from_errno(errno, "cannot create a pipe"));
  Fd read_end{ends[0]}, write_end{ends[1]};
  // Processes that are forked later inherit the write end, so that its closing does not tell the end of this process.
  Fd process{static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0))};
  pid_t child = ::fork();
  if (child < 0) return fail(Error::from_errno(errno, "cannot fork"));
  if (child == 0) {
    write_end.reset();
    watch(restoration, read_end.get(), process.get());
  }
  return TerminalGuard{child, std::move(write_end)};
}

TerminalGuard::TerminalGuard(TerminalGuard&& other) noexcept
    : child_(std::exchange(other.child_, -1)), end_(std::move(other.end_)) {}

TerminalGuard::~TerminalGuard() {
  if (child_ < 0) return;
  // A child that is gone needs no byte: SIGPIPE is ignored by dscope, and blocked here for other programs.
  sigset_t pipe_signal, old;
  ::sigemptyset(&pipe_signal);
  ::sigaddset(&pipe_signal, SIGPIPE);
  ::sigprocmask(SIG_BLOCK, &pipe_signal, &old);
  bool is_written = ::write(end_.get(), "q", 1) == 1;
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  end_.reset();
  if (is_written)
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
}

}  // namespace dscope
