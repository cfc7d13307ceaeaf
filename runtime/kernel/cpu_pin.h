// CpuPin: keeps the calling thread on one CPU for a scope.
#pragma once

#include <sched.h>

#include <cstddef>

namespace dscope {

// Pins the thread to `cpu` and restores its affinity in the destructor. Does nothing if `cpu` is negative or the thread
// may not run there.
class CpuPin {
 public:
  explicit CpuPin(int cpu) {
    if (cpu < 0 || cpu >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof old_, &old_) < 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(cpu), &one);
    is_pinned_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
  }
  CpuPin(const CpuPin&) = delete;
  CpuPin& operator=(const CpuPin&) = delete;
  ~CpuPin() {
    if (is_pinned_) ::sched_setaffinity(0, sizeof old_, &old_);
  }

 private:
  cpu_set_t old_;
  bool is_pinned_ = false;
};

}  // namespace dscope
