#include "runtime/load/time_merge.h"

#include <gtest/gtest.h>

#include <deque>

namespace dscope {
namespace {

constexpr uint64_t being_written = 0;

// A ring of records that consist of their time.
struct FakeRing {
  std::deque<uint64_t> times;
  size_t in_pass = 0;  // records of this pass that are left
  size_t old = 0;      // records at the front that the last pass has seen

  void begin() { in_pass = times.size(); }
  RingHead head() const {
    if (in_pass == 0) return RingHead::None;
    return times.front() == being_written ? RingHead::Busy : RingHead::Record;
  }
  uint64_t time() const { return times.front(); }
  uint64_t record() const { return times.front(); }
  void pop() {
    times.pop_front();
    --in_pass;
    if (old > 0) --old;
  }
  void finish() { old = times.size(); }
  bool is_new() const { return old == 0; }
};

std::vector<FakeRing> rings(std::initializer_list<std::deque<uint64_t>> contents) {
  std::vector<FakeRing> result;
  for (const std::deque<uint64_t>& times : contents) result.push_back({.times = times});
  return result;
}

std::vector<uint64_t> pass(TimeMerge<FakeRing>& merge, std::vector<FakeRing>& from, uint64_t now) {
  std::vector<uint64_t> taken;
  size_t count = merge.run(from, now, [&](uint64_t record) {
    taken.push_back(record);
    return true;
  });
  EXPECT_EQ(count, taken.size());
  return taken;
}

using Times = std::vector<uint64_t>;

TEST(TimeMerge, OrdersByTime) {
  auto from = rings({{1, 4, 5, 9}, {}, {2, 3, 6}, {7, 8}});
  TimeMerge<FakeRing> merge(from.size());
  EXPECT_EQ(pass(merge, from, 100), (Times{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(pass(merge, from, 200), Times{});
}

// A record of another ring with an earlier time may still come.
TEST(TimeMerge, LeavesRecordsThatAreLaterThanThePass) {
  auto from = rings({{1, 12}, {3}});
  TimeMerge<FakeRing> merge(from.size());
  EXPECT_EQ(pass(merge, from, 10), (Times{1, 3}));
  from[1].times.push_back(11);
  EXPECT_EQ(pass(merge, from, 20), (Times{11, 12}));
}

TEST(TimeMerge, KeepsTheOrderOfEachRing) {
  auto from = rings({{5, 3, 6}, {4, 7}});
  TimeMerge<FakeRing> merge(from.size());
  EXPECT_EQ(pass(merge, from, 10), (Times{4, 5, 3, 6, 7}));
}

TEST(TimeMerge, WaitsForARecordThatIsBeingWritten) {
  auto from = rings({{1, 5, being_written}, {2, 6}});
  TimeMerge<FakeRing> merge(from.size());
  EXPECT_EQ(pass(merge, from, 10), (Times{1, 2, 5}));  // the record may be from before 6
  from[0].times.front() = 7;
  EXPECT_EQ(pass(merge, from, 20), (Times{6, 7}));
}

// Such a record is later than the start of the pass before.
TEST(TimeMerge, TakesWhatIsSurelyEarlier) {
  auto from = rings({{}, {}});
  TimeMerge<FakeRing> merge(from.size());
  EXPECT_EQ(pass(merge, from, 10), Times{});
  from[0].times = {being_written};
  from[1].times = {8, 12};
  EXPECT_EQ(pass(merge, from, 20), (Times{8}));
}

TEST(TimeMerge, DoesNotWaitForever) {
  auto from = rings({{being_written}, {6}});
  TimeMerge<FakeRing> merge(from.size());
  EXPECT_EQ(pass(merge, from, 10), Times{});
  EXPECT_EQ(pass(merge, from, 9 + TimeMerge<FakeRing>::max_delay_ns), Times{});
  EXPECT_EQ(pass(merge, from, 10 + TimeMerge<FakeRing>::max_delay_ns), (Times{6}));
}

TEST(TimeMerge, StopsWhenAsked) {
  auto from = rings({{1, 3}, {2, 4}});
  TimeMerge<FakeRing> merge(from.size());
  size_t left = 3;
  EXPECT_EQ(merge.run(from, 10, [&](uint64_t) { return --left > 0; }), 3U);
  EXPECT_EQ(pass(merge, from, 20), (Times{4}));
}

}  // namespace
}  // namespace dscope
