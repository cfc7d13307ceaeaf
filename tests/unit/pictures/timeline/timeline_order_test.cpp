// The order of events whose rows come CPU by CPU.
#include "pictures/timeline/timeline_order.h"

#include <gtest/gtest.h>

#include "pictures/pictures_fixture.h"

namespace dscope::test {
namespace {

RunUpdate rows_at(std::vector<uint64_t> times) {
  RunUpdate update;
  for (uint64_t time : times) update.rows.push_back({.monotonic_ns = time});
  return update;
}

std::vector<uint64_t> times_of(const std::vector<TimelineEvent>& events) {
  std::vector<uint64_t> times;
  for (const TimelineEvent& event : events) times.push_back(event.time_ns);
  return times;
}

RunStart known_start() { return {.start_ns = 1000 * second, .start_monotonic_ns = 50}; }

using Times = std::vector<uint64_t>;

TEST(TimelineOrder, HoldsRowsThatLaterOnesMayPrecede) {
  TimelineOrder order;
  TimelineClock clock{known_start()};
  EXPECT_EQ(times_of(order.add(rows_at({10, 30, 20}), clock)), Times{});
  EXPECT_EQ(times_of(order.add(rows_at({40, 25, 60}), clock)), (Times{10, 20, 25, 30}));
  EXPECT_EQ(times_of(order.take_rest()), (Times{40, 60}));
}

TEST(TimelineOrder, HoldsNothingWhileNoRowsCome) {
  TimelineOrder order;
  TimelineClock clock{known_start()};
  order.add(rows_at({10, 30, 20}), clock);
  EXPECT_EQ(times_of(order.add({}, clock)), (Times{10, 20, 30}));
}

TEST(TimelineOrder, IsBounded) {
  TimelineOrder order;
  Times times(TimelineOrder::max_held + 2);
  for (size_t i = 0; i < times.size(); ++i) times[i] = times.size() - i;
  EXPECT_EQ(times_of(order.add(rows_at(times), TimelineClock{known_start()})), (Times{1, 2}));
}

TEST(TimelineClock, RelatesTheSystemClockToTheMonotonicOne) {
  TimelineClock clock{known_start()};
  EXPECT_EQ(clock.time_of({.time_ns = 1001 * second, .monotonic_ns = 70}), 70U);
  EXPECT_EQ(clock.time_of({.time_ns = 1001 * second}), 50U + second);
  EXPECT_EQ(clock.from_system_time(3), 0U);
}

TEST(TimelineClock, IsTheSystemClockIfNothingRelatesThem) {
  TimelineClock clock{RunStart{.start_ns = 1000 * second}};
  EXPECT_FALSE(clock.is_monotonic());
  EXPECT_EQ(clock.time_of({.time_ns = 1001 * second, .monotonic_ns = 70}), static_cast<uint64_t>(1001 * second));
}

}  // namespace
}  // namespace dscope::test
