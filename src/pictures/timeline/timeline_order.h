// The events of a run in the order of their times. Each CPU has its own buffer, which the consumer reads one after the
// other, so rows of one update are out of order, and some precede rows of the update before.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <variant>
#include <vector>

#include "pictures/run_update.h"

namespace dscope {

// Receives the bytes of a file as they are written. Errors are its owner's.
using TimelineSink = std::function<void(std::string_view)>;

// The clock of a timeline: CLOCK_MONOTONIC, as rows have it. If RunStart does not tell how it relates to the system
// clock, the system clock, and rows have the times at which they were printed.
class TimelineClock {
 public:
  TimelineClock() = default;
  explicit TimelineClock(const RunStart& start);

  bool is_monotonic() const { return is_monotonic_; }
  int64_t offset_ns() const { return offset_ns_; }  // of the system clock: add it for the time since 1970
  uint64_t time_of(const PictureRow& row) const;
  uint64_t from_system_time(int64_t since_1970_ns) const;

 private:
  bool is_monotonic_ = false;
  int64_t offset_ns_ = 0;
};

struct TimelineEvent {
  uint64_t time_ns = 0;  // by TimelineClock
  std::variant<PictureRow, PictureFault, PictureDrop> what;
};

// Holds the events of an update until the next one has come.
class TimelineOrder {
 public:
  static constexpr size_t max_held = 131'072;  // beyond it, the earliest ones leave

  // Returns the events that no event of a later update should precede, in ascending order of time.
  std::vector<TimelineEvent> add(const RunUpdate& update, const TimelineClock& clock);
  std::vector<TimelineEvent> take_rest();

 private:
  std::vector<TimelineEvent> held_;  // sorted by time
  uint64_t read_until_ns_ = 0;       // the last row of the updates before
};

}  // namespace dscope
