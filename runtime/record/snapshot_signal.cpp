#include "runtime/record/snapshot_signal.h"

#include <atomic>

namespace dscope {

namespace {

std::atomic<bool> is_requested{false};

void request(int) { is_requested.store(true, std::memory_order_relaxed); }

}  // namespace

SnapshotSignal::SnapshotSignal() {
  struct sigaction action{};
  action.sa_handler = request;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR1, &action, &old_);
}

SnapshotSignal::~SnapshotSignal() { ::sigaction(SIGUSR1, &old_, nullptr); }

bool SnapshotSignal::take() { return is_requested.exchange(false, std::memory_order_relaxed); }

}  // namespace dscope
