#include "pictures/timeline/timeline_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dscope {

namespace {

std::vector<TimelineEvent> take_first(std::vector<TimelineEvent>& events, size_t count) {
  auto end = events.begin() + static_cast<ptrdiff_t>(count);
  std::vector<TimelineEvent> taken(std::make_move_iterator(events.begin()), std::make_move_iterator(end));
  events.erase(events.begin(), end);
  return taken;
}

}  // namespace

TimelineClock::TimelineClock(const RunStart& start)
    : is_monotonic_(start.start_monotonic_ns != 0),
      offset_ns_(is_monotonic_ ? start.start_ns - static_cast<int64_t>(start.start_monotonic_ns) : 0) {}

uint64_t TimelineClock::time_of(const PictureRow& row) const {
  bool has_own_time = is_monotonic_ && row.monotonic_ns != 0;
  return has_own_time ? row.monotonic_ns : from_system_time(row.time_ns);
}

uint64_t TimelineClock::from_system_time(int64_t since_1970_ns) const {
  return static_cast<uint64_t>(std::max<int64_t>(0, since_1970_ns - offset_ns_));
}

std::vector<TimelineEvent> TimelineOrder::add(const RunUpdate& update, const TimelineClock& clock) {
  uint64_t last = 0;
  for (const PictureRow& row : update.rows) {
    held_.push_back({.time_ns = clock.time_of(row), .what = row});
    last = std::max(last, held_.back().time_ns);
  }
  for (const PictureFault& fault : update.faults)
    held_.push_back({.time_ns = clock.from_system_time(fault.time_ns), .what = fault});
  for (const PictureDrop& drop : update.drops)
    held_.push_back({.time_ns = clock.from_system_time(drop.time_ns), .what = drop});
  std::ranges::stable_sort(held_, {}, &TimelineEvent::time_ns);
  // Without rows, nothing is known to come late.
  bool has_rows = !update.rows.empty();
  auto end = has_rows ? std::ranges::upper_bound(held_, read_until_ns_, {}, &TimelineEvent::time_ns) : held_.end();
  auto ready = static_cast<size_t>(end - held_.begin());
  if (held_.size() - ready > max_held) ready = held_.size() - max_held;
  read_until_ns_ = std::max(read_until_ns_, last);
  return take_first(held_, ready);
}

std::vector<TimelineEvent> TimelineOrder::take_rest() { return take_first(held_, held_.size()); }

}  // namespace dscope
