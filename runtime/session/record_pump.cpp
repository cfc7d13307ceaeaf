#include "runtime/session/record_pump.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <chrono>

#include "support/catch_exceptions.h"

namespace dscope {
namespace {

// Limits of a pass. One record can print a hundred thousand lines (printa), so a count of records alone does not bound
// its time.
constexpr size_t max_records = 16384;
constexpr auto max_pass_time = std::chrono::milliseconds{20};
// A record is reserved and submitted within one program: a longer wait means that the writer's CPU does not run.
constexpr auto max_write_time = std::chrono::milliseconds{100};

// Records between two reads of the clock: more while it does not move.
constexpr size_t min_per_clock = 8, max_per_clock = 128;

// The monotonic clock as of the last timer tick, at most 10 ms ago. Reading the exact clock takes as long as half a
// short record.
std::chrono::nanoseconds coarse_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

}  // namespace

size_t RecordPump::pass() {
  if (!ring_.has_data()) return 0;
  consumer_.begin_pass();
  size_t left = max_records, until_clock = min_per_clock, per_clock = min_per_clock;
  auto last_time = coarse_clock(), deadline = last_time + max_pass_time;
  size_t count = ring_.consume([&](std::span<const std::byte> record) {
    auto printed = catch_exceptions([&]() -> Result<> {
      consumer_.record(record);
      return {};
    });
    if (!printed) messages_.report_failed_record(printed.error());
    --left;
    if (--until_clock != 0) return left > 0;
    auto time = coarse_clock();
    per_clock = time == last_time ? std::min(per_clock * 2, max_per_clock) : min_per_clock;
    until_clock = per_clock;
    last_time = time;
    return left > 0 && time < deadline;
  });
  if (count > 0) out_.flush();
  return count;
}

void RecordPump::drain() {
  auto deadline = std::chrono::steady_clock::now() + max_write_time;
  // Records that arrive during the drain are left: a script that traces write(2) would keep the ring filled forever.
  const RingSet::Mark end = ring_.mark();
  while (!ring_.has_passed(end) && out_.error() == 0) {
    uint64_t before = ring_.consumed();
    pass();
    bool has_advanced = ring_.consumed() != before;
    auto now = std::chrono::steady_clock::now();
    if (has_advanced) deadline = now + max_write_time;
    if (!has_advanced && now >= deadline) return;
    if (!has_advanced) ::sched_yield();
  }
}

}  // namespace dscope
