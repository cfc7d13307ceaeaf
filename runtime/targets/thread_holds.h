// ThreadHolds: threads of any processes that stand for a moment, by ptrace(2), while what they have just mapped is
// looked at. If this process dies, at whatever moment, they go on.
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

  // It stops before its next instruction. False, and nothing happens, if it may not be traced, as somebody else does,
  // or is gone.
  bool hold(pid_t thread);
  // All go on. One that is still on its way out of the kernel is let go by a later call, or by our end.
  void release();

 private:
  std::set<pid_t> threads_;
};

}  // namespace dscope
