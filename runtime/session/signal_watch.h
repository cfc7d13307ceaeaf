// SignalWatch: counts SIGINT, SIGTERM, SIGHUP and SIGQUIT for the session loop and keeps SIGPIPE from ending the
// process. It installs handlers instead of blocking signals for a signalfd, because programs started by system() would
// inherit the blocked mask and ignore Ctrl-C.
#pragma once

#include <signal.h>

#include <array>

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
  // Signals since start(). At the second one the session prints addresses instead of looking up names, and aborts a
  // write that waits for its reader. The third one kills the process.
  int count() const;
  // True if count() of the latest watch is 2 or more: is_interrupted (support/interruption.h).
  static bool has_repeated_signal();

 private:
  SignalWatch() = default;
  Fd event_;
  std::array<struct sigaction, 4> old_stops_{};  // of the signals that count() counts
  struct sigaction old_pipe_{};
};

}  // namespace dscope
