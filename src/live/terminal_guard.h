// TerminalGuard: restores the terminal if this process dies without doing so, by SIGKILL or a crash. A child watches
// the process. It is in a session of its own, so that signals to the process group do not reach it.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <string>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class TerminalGuard {
 public:
  // The data that restore a terminal.
  struct Restoration {
    int terminal = -1;      // the descriptor; not owned
    termios before{};       // the modes to restore
    termios during{};       // the modes of the live view: a shell that has set others already must keep them
    std::string sequences;  // for the terminal: leaves the alternate screen, shows the cursor ...
  };

  // Call it before threads exist. The destructor ends the child without a restoration: the caller has done it.
  static Result<TerminalGuard> start(const Restoration& restoration);
  TerminalGuard(TerminalGuard&& other) noexcept;
  TerminalGuard& operator=(TerminalGuard&&) = delete;
  ~TerminalGuard();

 private:
  TerminalGuard(pid_t child, Fd end) : child_(child), end_(std::move(end)) {}

  pid_t child_;  // -1: moved from
  Fd end_;       // a byte written to it ends the child
};

}  // namespace dscope
