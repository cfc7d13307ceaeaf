// The index of ranges that may overlap, compared with a linear search.
#include "runtime/elf/range_index.h"

#include <gtest/gtest.h>

#include <random>

namespace dscope::test {
namespace {

struct Range {
  uint64_t start, size;
};

RangeIndex index_of(const std::vector<Range>& ranges) {
  RangeIndex index;
  for (size_t i = 0; i < ranges.size(); ++i) index.add(ranges[i].start, ranges[i].size, i);
  index.finish();
  return index;
}

std::optional<size_t> first_containing(const std::vector<Range>& ranges, uint64_t number) {
  for (size_t i = 0; i < ranges.size(); ++i)
    if (number - ranges[i].start < ranges[i].size) return i;
  return std::nullopt;
}

TEST(RangeIndex, TheFirstOfOverlappingRangesCounts) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Range> ranges;
    for (size_t i = 0, count = random() % 12; i < count; ++i) ranges.push_back({random() % 64, random() % 24});
    RangeIndex index = index_of(ranges);
    uint64_t size = 0;
    for (uint64_t number = 0; number < 96; ++number) {
      ASSERT_EQ(index.find(number), first_containing(ranges, number)) << "round " << round << ", number " << number;
      size += first_containing(ranges, number) ? 1 : 0;
    }
    EXPECT_EQ(index.size(), size);
  }
}

TEST(RangeIndex, RangesEndAtTheLargestNumber) {
  RangeIndex index = index_of({{UINT64_MAX - 1, 100}, {UINT64_MAX - 9, UINT64_MAX}, {0, 0}});
  EXPECT_EQ(index.find(UINT64_MAX), 0U);
  EXPECT_EQ(index.find(UINT64_MAX - 1), 0U);
  EXPECT_EQ(index.find(UINT64_MAX - 2), 1U);
  EXPECT_EQ(index.find(0), std::nullopt);
}

// 200,000 ranges that each span all the gaps between 200,000 others: 4 * 10^10 steps for a search of each pair.
TEST(RangeIndex, ManyOverlappingRangesAreFast) {
  constexpr uint64_t count = 200'000;
  std::vector<Range> ranges;
  for (uint64_t i = 0; i < count; ++i) ranges.push_back({2 * i, 1});
  for (uint64_t i = 0; i < count; ++i) ranges.push_back({0, 2 * count + i});
  RangeIndex index = index_of(ranges);
  EXPECT_EQ(index.find(2), 1U);
  EXPECT_EQ(index.find(1), count);
  EXPECT_EQ(index.find(2 * count), count + 1);
  EXPECT_EQ(index.size(), 3 * count - 1);
}

}  // namespace
}  // namespace dscope::test
