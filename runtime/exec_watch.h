// ExecWatch: processes seized by ptrace(2) that run on, but stop where they execute another program, until its probes
// are in place. Their signals pass through. If this process dies, they run on without it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <set>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class ExecWatch {
 public:
  enum class Children : uint8_t { Leave, Watch };

  static Result<ExecWatch> start(Children children);
  ExecWatch(ExecWatch&& other) noexcept = default;
  ~ExecWatch() { release(); }

  // A process that this thread has seized and that stands: it goes on. Any of its threads may execute a program.
  void take_over(pid_t pid);
  // Any other one. Nothing happens to it if it may not be traced: somebody else does.
  void seize(pid_t pid);

  // Readable when there is something to handle().
  int fd() const { return event_.get(); }
  // Calls `on_exec` for each process that has executed another program, which stands at its first instruction until
  // that returns.
  void handle(const std::function<void(pid_t pid)>& on_exec);
  // Within `on_exec`: waits until something may have happened to a process. False once `stop_fd` is readable.
  bool wait(int stop_fd) const;
  // Lets all of them go.
  void release();

 private:
  ExecWatch(Fd event, Children children) : event_(std::move(event)), children_(children) {}
  long options() const;
  void seize_threads(pid_t pid);
  bool is_watched(pid_t pid) const { return children_ == Children::Watch || processes_.contains(pid); }
  void handle_stop(pid_t pid, int status, const std::function<void(pid_t pid)>& on_exec);

  Fd event_;
  Children children_;
  std::set<pid_t> pids_;       // of processes and their threads
  std::set<pid_t> processes_;  // those that were asked for
};

}  // namespace dscope
