// ThreadHolds: stops threads of any processes by ptrace(2) for a moment, while probes for their new mappings are
// attached. If this process dies, the threads run on.
#pragma once

#include <sys/types.h>

#include <set>

namespace dscope {

class ThreadHolds {
 public:
  ThreadHolds() = default;
  ThreadHolds(const ThreadHolds&) = delete;
  ThreadHolds& operator=(const ThreadHolds&) = delete;
  ~ThreadHolds() { release(); }

  // Stops the thread before its next user instruction. Returns false and does nothing if the thread has ended or may
  // not be traced, as when another tracer has it.
  bool hold(pid_t thread);
  // Continues all held threads. A thread that is still in the kernel after 2 ms is released by a later call, or when
  // this process exits.
  void release();

 private:
  std::set<pid_t> threads_;
};

}  // namespace dscope
