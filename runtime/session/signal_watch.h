// SignalWatch: counts SIGINT and SIGTERM for the session loop and keeps SIGPIPE from ending the process. Handlers, not
// a blocked mask with a signalfd: programs started by system() would inherit a blocked mask and ignore Ctrl-C.
#pragma once

#include <signal.h>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class SignalWatch {
 public:
  // One at a time. Signals that are ignored stay ignored.
  static Result<SignalWatch> start();
  SignalWatch(SignalWatch&& other) noexcept;
  SignalWatch& operator=(SignalWatch&&) = delete;
  ~SignalWatch();  // restores the handlers that were there before

  // Readable after a signal; acknowledge() makes it quiet again.
  int fd() const { return event_.get(); }
  void acknowledge();
  // Since the start. At 2 the user is impatient; a third signal kills.
  int count() const;
  // Whether count() is 2 or more; of the last one that was started.
  static bool is_impatient();

 private:
  SignalWatch() = default;
  Fd event_;
  struct sigaction old_interrupt_{}, old_terminate_{}, old_pipe_{};
};

}  // namespace dscope
