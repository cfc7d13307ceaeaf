#include "runtime/aggregations/cpu_values.h"

#include <gtest/gtest.h>

#include <cstring>

namespace dscope {
namespace {

uint64_t word(const std::byte* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}
const std::byte* bytes_of(const uint64_t& value) { return reinterpret_cast<const std::byte*>(&value); }

TEST(CpuValuesTest, InsertsInOrderOfCpus) {
  CpuValues values{8};
  EXPECT_TRUE(values.empty());
  for (uint32_t cpu : {700u, 3u, 1023u, 0u}) {
    uint64_t value = cpu * 10;
    std::memcpy(values.at(cpu), &value, sizeof value);
  }
  ASSERT_EQ(values.count(), 4u);
  EXPECT_EQ(values.cpu(0), 0u);
  EXPECT_EQ(values.cpu(3), 1023u);
  EXPECT_EQ(word(values.find(700)), 7000u);
  EXPECT_EQ(word(values.at(3)), 30u);
  EXPECT_EQ(values.find(4), nullptr);
  EXPECT_EQ(values.find(2000), nullptr);
  EXPECT_EQ(word(values.at(4)), 0u);
  EXPECT_EQ(values.count(), 5u);
}

TEST(CpuValuesTest, SortKeepsTheLastValueOfACpu) {
  CpuValues values{8};
  uint64_t words[] = {5, 1, 2, 6};
  values.append(5, bytes_of(words[0]));
  values.append(1, bytes_of(words[1]));
  values.append(2, bytes_of(words[2]));
  values.append(5, bytes_of(words[3]));
  values.sort();
  ASSERT_EQ(values.count(), 3u);
  EXPECT_EQ(word(values.find(1)), 1u);
  EXPECT_EQ(word(values.find(2)), 2u);
  EXPECT_EQ(word(values.find(5)), 6u);
}

}  // namespace
}  // namespace dscope
