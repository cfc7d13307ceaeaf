#include "runtime/session/element_joiner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace dscope {
namespace {

using Words = std::vector<uint64_t>;

std::span<const std::byte> bytes_of(const Words& words) { return std::as_bytes(std::span{words}); }

uint64_t word(std::span<const std::byte> bytes) {
  uint64_t value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

AggregationPlan count_by_number() {
  return {.key_size = 8, .is_cpu_in_key = true, .value_size = 8, .map_key_size = 16, .map_value_size = 8};
}

// 10,000 keys that all of 128 CPUs use, in the order of a hash: no value is lost, none counts twice.
TEST(ElementJoinerTest, JoinsTheCpusOfEachKey) {
  constexpr uint64_t cpus = 128, keys = 10'000, step = 7919;  // a prime that divides neither number
  AggregationPlan plan = count_by_number();
  ElementJoiner joiner{plan, cpus};
  for (uint64_t i = 0; i < cpus * keys; ++i) {
    uint64_t at = i * step % (cpus * keys);
    joiner.add(bytes_of({at / cpus, at % cpus}), 8, bytes_of({at}));
  }
  std::vector<AggregationElement> elements = joiner.take();
  ASSERT_EQ(elements.size(), keys);
  for (const AggregationElement& element : elements) {
    ASSERT_EQ(element.values.count(), cpus);
    for (uint32_t cpu = 0; cpu < cpus; ++cpu) {
      ASSERT_EQ(element.values.cpu(cpu), cpu);
      ASSERT_EQ(word(element.values.value(cpu)), word(element.key) * cpus + cpu);
    }
  }
}

// On a machine of 1,024 CPUs, values for every CPU would take 8 KiB for each key.
TEST(ElementJoinerTest, KeysOfOneCpuHaveOneValue) {
  AggregationPlan plan = count_by_number();
  ElementJoiner joiner{plan, 1024};
  joiner.add(bytes_of({7, 1000}), 8, bytes_of({3}));
  joiner.add(bytes_of({8, 1024}), 8, bytes_of({3}));  // no such CPU: the key exists, without a value
  std::vector<AggregationElement> elements = joiner.take();
  ASSERT_EQ(elements.size(), 2u);
  ASSERT_EQ(elements[0].values.count(), 1u);
  EXPECT_EQ(elements[0].values.cpu(0), 1000u);
  EXPECT_TRUE(elements[1].values.empty());
}

TEST(ElementJoinerTest, PadsShortKeys) {
  AggregationPlan plan = count_by_number();
  plan.key_size = 24;
  plan.short_key_size = 8;
  plan.map_key_size = 32;
  ElementJoiner joiner{plan, 2};
  joiner.add(bytes_of({5, 6, 7, 0}), 24, bytes_of({1}));
  joiner.add(bytes_of({5, 1}), 8, bytes_of({2}));
  std::vector<AggregationElement> elements = joiner.take();
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_TRUE(std::ranges::equal(elements[0].key, bytes_of({5, 6, 7})));
  EXPECT_TRUE(std::ranges::equal(elements[1].key, bytes_of({5, 0, 0})));
  EXPECT_EQ(word(elements[1].values.value(0)), 2u);
}

TEST(ElementJoinerTest, IgnoresOtherAggregationsOfASharedMap) {
  AggregationPlan plan = count_by_number();
  plan.shares_map = true;
  plan.number = 4;
  plan.map_key_size = 32;  // key, CPU, padding, number
  plan.map_value_size = 16;
  ElementJoiner joiner{plan, 2};
  joiner.add(bytes_of({5, 1, 0, 4}), 8, bytes_of({2, 9}));
  joiner.add(bytes_of({5, 1, 0, 3}), 8, bytes_of({3, 9}));
  std::vector<AggregationElement> elements = joiner.take();
  ASSERT_EQ(elements.size(), 1u);
  EXPECT_EQ(elements[0].values.value(0).size(), 8u);
  EXPECT_EQ(word(elements[0].values.value(0)), 2u);
}

TEST(ElementJoinerTest, ReadsPerCpuMaps) {
  AggregationPlan plan = count_by_number();
  plan.is_cpu_in_key = false;
  plan.map_key_size = 8;
  ElementJoiner joiner{plan, 4};
  joiner.add(bytes_of({5}), 8, bytes_of({0, 2, 0, 3}));
  std::vector<AggregationElement> elements = joiner.take();
  ASSERT_EQ(elements.size(), 1u);
  ASSERT_EQ(elements[0].values.count(), 2u);
  EXPECT_EQ(elements[0].values.cpu(1), 3u);
}

}  // namespace
}  // namespace dscope
