// SnapshotSignal: counts SIGUSR1, which asks a recording for its last seconds.
#pragma once

#include <signal.h>

namespace dscope {

class SnapshotSignal {
 public:
  // Handles the signal while it lives. At most one may exist.
  SnapshotSignal();
  ~SnapshotSignal();
  SnapshotSignal(const SnapshotSignal&) = delete;
  SnapshotSignal& operator=(const SnapshotSignal&) = delete;

  // True once after one or more signals.
  bool take();

 private:
  struct sigaction old_{};
};

}  // namespace dscope
