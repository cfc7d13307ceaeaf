// TargetWatch: processes seized by ptrace(2) that run on, but stop where they execute another program, or where a
// LinkerBell stops them as they load a library, until the probes of that are in place. Their signals pass through. If
// this process dies, they run on without it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <set>

#include "support/fd.h"
#include "support/result.h"

namespace dscope {

class TargetWatch {
 public:
  // What it stops processes for, besides loads.
  struct Scope {
    bool has_execs = false;     // programs that they execute
    bool has_children = false;  // it stops their children for the same
  };
  // What to do while a process stands.
  struct Handlers {
    std::function<void(pid_t parent, pid_t child)> on_fork;  // before the child's first instruction
    std::function<void(pid_t pid)> on_exec;                  // at the first instruction of another program
    std::function<void()> on_load;  // in its dynamic linker; which process it is, a LibraryWatch knows
  };

  static Result<TargetWatch> start(Scope scope);
  TargetWatch(TargetWatch&& other) noexcept = default;
  ~TargetWatch() { release(); }

  // A process that this thread has seized and that stands: it goes on. Any of its threads may stop.
  void take_over(pid_t pid);
  // Any other one. Nothing happens to it if it may not be traced: somebody else does.
  void seize(pid_t pid);

  // Readable when there is something to handle().
  int fd() const { return event_.get(); }
  // Calls what is meant for each process that stands; until that returns.
  void handle(const Handlers& handlers);
  // Within `Handlers::on_exec`: waits until something may have happened to a process. False once `stop_fd` is readable.
  bool wait(int stop_fd) const;
  // Lets all of them go.
  void release();

 private:
  TargetWatch(Fd event, Scope scope) : event_(std::move(event)), scope_(scope) {}
  long options() const;
  void seize_threads(pid_t pid);
  bool is_watched(pid_t pid) const { return scope_.has_children || processes_.contains(pid); }
  void handle_stop(pid_t pid, int status, const Handlers& handlers);

  Fd event_;
  Scope scope_;
  std::set<pid_t> pids_;       // of processes and their threads
  std::set<pid_t> processes_;  // those that were asked for
};

}  // namespace dscope
