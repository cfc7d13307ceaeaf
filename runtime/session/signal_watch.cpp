#include "runtime/session/signal_watch.h"

#include <sys/eventfd.h>

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

// The second signal interrupts a write that waits for a reader. Then the default action is restored, so that a third
// one kills the process.
void on_stop_signal(int number) {
  int saved_errno = errno;
  signal_count = signal_count + 1;
  set_handler(number, signal_count >= 2 ? SIG_DFL : on_stop_signal, 0);
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
  install(SIGINT, on_stop_signal, watch.old_interrupt_);
  install(SIGTERM, on_stop_signal, watch.old_terminate_);
  install(SIGPIPE, on_closed_pipe, watch.old_pipe_);
  return watch;
}

SignalWatch::SignalWatch(SignalWatch&& other) noexcept
    : event_(std::move(other.event_)),
      old_interrupt_(other.old_interrupt_),
      old_terminate_(other.old_terminate_),
      old_pipe_(other.old_pipe_) {}

SignalWatch::~SignalWatch() {
  if (!event_) return;
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
  ::sigaction(SIGPIPE, &old_pipe_, nullptr);
  event_fd = -1;
}

void SignalWatch::acknowledge() {
  eventfd_t count;
  eventfd_read(event_.get(), &count);
}

int SignalWatch::count() const { return signal_count; }
bool SignalWatch::has_repeated_signal() { return signal_count >= 2; }

}  // namespace dscope
