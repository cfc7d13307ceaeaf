// SignalWatch: counts SIGINT and SIGTERM for the session loop and keeps SIGPIPE from ending the process. It installs
// handlers instead of blocking signals for a signalfd, because programs started by system() would inherit the blocked
// mask and ignore Ctrl-C.
#pragma once

#include <signal.h>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class SignalWatch {
 public:
  // At most one watch may exist. Signals that this process ignores stay ignored.
  static Result<SignalWatch> start();
  SignalWatch(SignalWatch&& other) noexcept;
  SignalWatch& operator=(SignalWatch&&) = delete;
  ~SignalWatch();  // restores the previous handlers

  // Readable after a signal, until acknowledge().
  int fd() const { return event_.get(); }
  void acknowledge();
  // Signals since start(). At the second one the session stops printing; the third kills the process.
  int count() const;
  // True if count() of the latest watch is 2 or more.
  static bool has_repeated_signal();

 private:
  SignalWatch() = default;
  Fd event_;
  struct sigaction old_interrupt_{}, old_terminate_{}, old_pipe_{};
};

}  // namespace dscope
