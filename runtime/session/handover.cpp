#include "runtime/session/handover.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

namespace dscope {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Programs that may sleep have seen a change of the state within this time, unless their thread waits for a CPU longer.
constexpr milliseconds settling_time{40};
constexpr milliseconds consuming_period{5};

// Waits until all events have ended that began before the call. The barrier waits for the programs that cannot sleep.
void settle(const std::function<void()>& consume) {
  ::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
  for (Clock::time_point end = Clock::now() + settling_time; Clock::now() < end;) {
    std::this_thread::sleep_for(consuming_period);
    consume();
  }
}

void switch_within_microseconds(StateBlock& own, StateBlock& replaced) {
  constexpr microseconds grace{20};  // programs that have seen the old state end within it
  replaced.set_activity(DS_ACTIVITY_DRAINING);
  for (Clock::time_point end = Clock::now() + grace; Clock::now() < end;) {
  }
  own.arm();
}

}  // namespace

void take_over(StateBlock& own, StateBlock& replaced, const BpfMap* shared, const std::function<void()>& consume) {
  if (shared == nullptr || shared->memory().size() < sizeof(ds_handover))
    return switch_within_microseconds(own, replaced);
  auto& handover = *reinterpret_cast<ds_handover*>(shared->memory().data());
  std::memset(&handover, 0, sizeof handover);  // the old run owns the events
  // BEGIN of this run may have called exit(), or the other run may have ended.
  if (!own.change(DS_ACTIVITY_STARTING, DS_ACTIVITY_TAKING_OVER)) return replaced.set_activity(DS_ACTIVITY_DRAINING);
  replaced.change(DS_ACTIVITY_ACTIVE, DS_ACTIVITY_HANDING_OVER);
  settle(consume);
  std::atomic_ref<ds_u64>{handover.owner}.store(DS_OWNER_NEW);
  settle(consume);
  // Each event of the old run has written 0 since. Where there was none, its last decision must not last: it stops
  // deciding. Decisions of the new run, which may be in use, are in the other table.
  std::memset(handover.counted_by_old, 0, sizeof handover.counted_by_old);
  replaced.set_activity(DS_ACTIVITY_DRAINING);
  settle(consume);
  own.change(DS_ACTIVITY_TAKING_OVER, DS_ACTIVITY_ACTIVE);
}

}  // namespace dscope
