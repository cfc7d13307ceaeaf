#include "runtime/replay/native_map.h"

#include <gtest/gtest.h>
#include <linux/bpf.h>

#include <cerrno>
#include <map>
#include <random>

namespace dscope {
namespace {

MapPlan hash(uint32_t entries, uint32_t key_size = 8, MapKind kind = MapKind::Hash) {
  return {.name = "map", .kind = kind, .key_size = key_size, .value_size = 8, .max_entries = entries};
}

struct Fixture {
  explicit Fixture(MapPlan map_plan, uint32_t cpus = 1)
      : plan(std::move(map_plan)), arena(*Arena::create()), map(*NativeMap::create(plan, cpus, arena)) {}

  int64_t update(uint64_t key, uint64_t value, uint64_t flags = BPF_ANY, uint32_t cpu = 0) {
    return map.update(&key, &value, flags, cpu);
  }
  uint64_t value(uint64_t key, uint32_t cpu = 0) {
    auto* found = reinterpret_cast<uint64_t*>(map.lookup(&key, cpu));
    return found == nullptr ? UINT64_MAX : *found;
  }

  MapPlan plan;
  Arena arena;
  NativeMap map;
};

TEST(NativeMap, FlagsOfUpdatesAreTheKernels) {
  Fixture f(hash(4));
  EXPECT_EQ(f.update(1, 10, BPF_EXIST), -ENOENT);
  EXPECT_EQ(f.update(1, 10, BPF_NOEXIST), 0);
  EXPECT_EQ(f.update(1, 11, BPF_NOEXIST), -EEXIST);
  EXPECT_EQ(f.update(1, 12), 0);
  EXPECT_EQ(f.value(1), 12U);
  EXPECT_EQ(f.value(2), UINT64_MAX);
}

TEST(NativeMap, FullHashRefusesNewElementsOnly) {
  Fixture f(hash(2));
  EXPECT_EQ(f.update(1, 1), 0);
  EXPECT_EQ(f.update(2, 2), 0);
  EXPECT_EQ(f.update(3, 3), -E2BIG);
  EXPECT_EQ(f.update(2, 22), 0);
  uint64_t key = 1;
  EXPECT_EQ(f.map.remove(&key), 0);
  EXPECT_EQ(f.map.remove(&key), -ENOENT);
  EXPECT_EQ(f.update(3, 3), 0);
  EXPECT_EQ(f.value(3), 3U);
}

TEST(NativeMap, ElementsStayWhereTheyAre) {
  Fixture f(hash(10000));
  f.update(0, 7);
  uint64_t key = 0;
  std::byte* before = f.map.find(&key);
  for (uint64_t i = 1; i < 10000; ++i) ASSERT_EQ(f.update(i, i), 0);
  EXPECT_EQ(f.map.find(&key), before);
}

TEST(NativeMap, NewElementsOfOneCpuAreZeroOnTheOthers) {
  Fixture f(hash(2, 8, MapKind::PerCpuHash), 3);
  f.update(1, 10, BPF_ANY, 0);
  f.update(1, 12, BPF_ANY, 2);
  EXPECT_EQ(f.value(1, 0), 10U);
  EXPECT_EQ(f.value(1, 1), 0U);
  EXPECT_EQ(f.value(1, 2), 12U);
  uint64_t key = 1;
  f.map.remove(&key);
  f.update(1, 5, BPF_ANY, 1);
  EXPECT_EQ(f.value(1, 2), 0U);
}

TEST(NativeMap, ArraysHaveAllElements) {
  Fixture f({.name = "array",
             .kind = MapKind::Array,
             .key_size = 4,
             .value_size = 8,
             .max_entries = 3,
             .initial = {9, 0, 0, 0, 0, 0, 0, 0}});
  EXPECT_EQ(f.value(0), 9U);
  EXPECT_EQ(f.value(2), 0U);
  EXPECT_EQ(f.value(3), UINT64_MAX);
  EXPECT_EQ(f.update(3, 1), -E2BIG);
}

// Removal moves elements of the table's runs: everything else must still be found.
TEST(NativeMap, MatchesAModelOverRandomOperations) {
  Fixture f(hash(300));
  std::map<uint64_t, uint64_t> model;
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    uint64_t key = random() % 500;
    if (random() % 3 == 0) {
      EXPECT_EQ(f.map.remove(&key), model.erase(key) != 0 ? 0 : -ENOENT);
    } else if (model.contains(key) || model.size() < 300) {
      EXPECT_EQ(f.update(key, random() % 1000 + i), 0);
      model[key] = f.value(key);
    }
  }
  for (uint64_t key = 0; key < 500; ++key)
    EXPECT_EQ(f.value(key), model.contains(key) ? model[key] : UINT64_MAX) << key;
  size_t count = 0;
  f.map.for_each([&](std::span<const std::byte> key, std::span<const std::byte>) {
    ++count;
    EXPECT_TRUE(model.contains(*reinterpret_cast<const uint64_t*>(key.data())));
  });
  EXPECT_EQ(count, model.size());
}

}  // namespace
}  // namespace dscope
