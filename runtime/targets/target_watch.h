// TargetWatch: processes seized by ptrace(2) that run, but stop when they execute another program, or where a
// DynamicLinkerProbe stops them as they load a library, until the probes for the new code are attached. Their signals
// pass through. If this process dies, they run on.
#pragma once

#include <sys/types.h>

#include <functional>
#include <set>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class TargetWatch {
 public:
  // The events that stop processes, besides library loads.
  struct Scope {
    bool has_execs = false;     // execution of another program
    bool has_children = false;  // watch their children as well
  };

  // Called while a process is stopped.
  struct Handlers {
    std::function<void(pid_t parent, pid_t child)> on_fork;  // before the child's first instruction
    std::function<void(pid_t pid)> on_exec;                  // at the first instruction of another program
    std::function<void()> on_load;  // in its dynamic linker; LibraryWatch reports which process it is
  };

  static Result<TargetWatch> start(Scope scope);
  TargetWatch(TargetWatch&& other) noexcept = default;
  ~TargetWatch() { release(); }

  // Adds a stopped process that this thread has seized, and continues it. Any of its threads may stop later.
  void take_over(pid_t pid);
  // Seizes and adds any other process. Does nothing if it may not be traced, as when another tracer has it.
  void seize(pid_t pid);

  // Readable when there is something to handle().
  int fd() const { return event_.get(); }
  // Calls the matching handler for each stopped process and then continues it.
  void handle(const Handlers& handlers);
  // For use in `Handlers::on_exec`: waits until the state of some process may have changed. False once `stop_fd` is
  // readable.
  bool wait(int stop_fd) const;
  // Detaches from all processes.
  void release();

 private:
  TargetWatch(Fd event, Scope scope) : event_(std::move(event)), scope_(scope) {}
  long options() const;
  void seize_threads(pid_t pid);
  bool is_watched(pid_t pid) const { return scope_.has_children || processes_.contains(pid); }
  void handle_stop(pid_t pid, int status, const Handlers& handlers);

  Fd event_;
  Scope scope_;
  std::set<pid_t> pids_;       // processes and their threads
  std::set<pid_t> processes_;  // processes that were added, not children
};

}  // namespace dscope
