#include "runtime/session/signal_watch.h"

#include <sys/eventfd.h>

#include "support/interruption.h"

namespace dscope {
namespace {

// Globals, because signal handlers have no other state.
volatile sig_atomic_t signal_count = 0;
volatile sig_atomic_t event_fd = -1;

void set_handler(int number, void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(number, &action, nullptr);
}

// The signals that end a run: Ctrl-C, kill, the end of the terminal, Ctrl-\.
constexpr std::array stop_signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

bool is_ignored(int number) {
  struct sigaction action{};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// The second signal interrupts a write that waits for a reader. Then the default actions are restored, so that a third
// signal of any kind kills the process.
void on_stop_signal(int) {
  int saved_errno = errno;
  signal_count = signal_count + 1;
  if (signal_count >= 2) is_interrupted = true;
  for (int number : stop_signals)
    if (!is_ignored(number)) set_handler(number, signal_count >= 2 ? SIG_DFL : on_stop_signal, 0);
  eventfd_write(event_fd, 1);
  errno = saved_errno;
}

// A handler instead of SIG_IGN: exec resets handlers to the default, but keeps ignored signals ignored.
void on_closed_pipe(int) {}

void install(int number, void (*handler)(int), struct sigaction& old) {
  ::sigaction(number, nullptr, &old);
  if (old.sa_handler != SIG_IGN) set_handler(number, handler, SA_RESTART);
}

}  // namespace

Result<SignalWatch> SignalWatch::start() {
  SignalWatch watch;
  watch.event_ = Fd{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!watch.event_) return fail(Error::from_errno(errno, "cannot create an eventfd"));
  event_fd = watch.event_.get();
  signal_count = 0;
  is_interrupted = false;
  for (size_t i = 0; i < stop_signals.size(); ++i) install(stop_signals[i], on_stop_signal, watch.old_stops_[i]);
  install(SIGPIPE, on_closed_pipe, watch.old_pipe_);
  return watch;
}

SignalWatch::SignalWatch(SignalWatch&& other) noexcept
    : event_(std::move(other.event_)), old_stops_(other.old_stops_), old_pipe_(other.old_pipe_) {}

SignalWatch::~SignalWatch() {
  if (!event_) return;
  for (size_t i = 0; i < stop_signals.size(); ++i) ::sigaction(stop_signals[i], &old_stops_[i], nullptr);
  ::sigaction(SIGPIPE, &old_pipe_, nullptr);
  event_fd = -1;
}

void SignalWatch::acknowledge() {
  eventfd_t count;
  eventfd_read(event_.get(), &count);
}

int SignalWatch::count() const { return signal_count; }
bool SignalWatch::has_repeated_signal() { return is_interrupted; }

}  // namespace dscope
