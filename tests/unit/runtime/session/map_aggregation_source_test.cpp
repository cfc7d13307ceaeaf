// Reads aggregations from the maps of a session: in batches, with bucket overflow, unkeyed, removed.
#include "runtime/session/map_aggregation_source.h"

#include <algorithm>
#include <set>

#include "session_fixture.h"

namespace dscope::testing {
namespace {

ProgramPlan plan_with_aggregations(uint64_t keys) {
  ProgramPlan plan = make_plan();
  plan.maps.push_back({.name = "ds_agg_0",
                       .kind = MapKind::PerCpuHash,
                       .key_size = 16,
                       .value_size = 8,
                       .max_entries = static_cast<uint32_t>(keys),
                       .no_prealloc = true});
  plan.maps.push_back(
      {.name = "ds_agg_1", .kind = MapKind::PerCpuArray, .key_size = 4, .value_size = 16, .max_entries = 1});
  plan.aggregations.push_back({.name = "keyed",
                               .key_size = 16,
                               .data_words = 1,
                               .value_size = 8,
                               .map = "ds_agg_0",
                               .map_key_size = 16,
                               .map_value_size = 8,
                               .generation_offset = global_count * 8,
                               .has_generation = true});
  plan.aggregations.push_back({.name = "_",
                               .key_size = 0,
                               .data_words = 1,
                               .has_state_word = true,
                               .value_size = 16,
                               .map = "ds_agg_1",
                               .map_value_size = 16,
                               .generation_offset = 56,
                               .has_generation = true});
  add_program(plan, "aggregate", begin_hook());
  add_program(plan, "begin_exits", begin_hook());
  set_global(plan, global_limit, keys);
  return plan;
}

uint64_t word(std::span<const std::byte> bytes, size_t index) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + index * 8, 8);
  return value;
}

TEST_F(SessionTest, AggregationsAreReadCompletely) {
  for (uint64_t keys : {uint64_t{1}, uint64_t{511}, uint64_t{20000}}) {
    consumer_log = {};
    std::set<uint64_t> seen;
    consumer_log.on_finish = [&] {
      AggregationSource& source = *consumer_log.source;
      auto elements = source.read(0);
      ASSERT_TRUE(elements) << elements.error().message();
      // The kernel's free list of elements runs out in such a burst and is refilled by other work of the CPU, so the
      // number of stored elements depends on the load (3,853 of 20,000 were seen). Every stored element must be read.
      // The program counts failed inserts in the word that the plan reserves for the first aggregation's generation.
      uint64_t stored = keys - source.generation(0);
      ASSERT_EQ(elements->size(), stored);
      for (const AggregationElement& element : *elements) {
        seen.insert(word(element.key, 0));
        ASSERT_EQ(element.values.count(), 1u);  // one firing, on one CPU
        ASSERT_LT(element.values.cpu(0), source.cpu_count());
        uint64_t sum = word(element.values.value(0), 0);
        ASSERT_EQ(sum, 1u);
      }
    };
    auto result = run(plan_with_aggregations(keys));
    ASSERT_TRUE(result) << result.error().message() << "\n" << result.error().hint_text();
    EXPECT_GE(seen.size(), std::min<uint64_t>(keys, 64));
  }
}

TEST_F(SessionTest, AggregationElementsAreRemoved) {
  consumer_log.on_finish = [&] {
    AggregationSource& source = *consumer_log.source;
    auto elements = source.read(0);
    ASSERT_TRUE(elements);
    std::vector<std::byte> key = elements->front().key;
    EXPECT_TRUE(source.remove(0, key));
    EXPECT_TRUE(source.remove(0, key));  // absent: no error
    EXPECT_EQ(source.read(0)->size(), 9u);

    auto single = source.read(1);
    ASSERT_TRUE(single);
    ASSERT_EQ(single->size(), 1u);
    uint64_t sum = 0;
    const CpuValues& values = single->front().values;
    for (size_t i = 0; i < values.count(); ++i) sum += word(values.value(i), 0);
    EXPECT_EQ(sum, 5u);
    EXPECT_TRUE(source.remove(1, {}));
    EXPECT_TRUE(source.read(1)->front().values.empty());

    EXPECT_EQ(source.generation(1), 0u);
    EXPECT_EQ(source.next_generation(1), 1u);
    EXPECT_EQ(source.generation(1), 1u);
    EXPECT_EQ(source.generation(0), 0u);
  };
  auto result = run(plan_with_aggregations(10));
  ASSERT_TRUE(result) << result.error().message();
}

}  // namespace
}  // namespace dscope::testing
