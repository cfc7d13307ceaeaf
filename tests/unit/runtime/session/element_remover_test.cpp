// Takes elements out of a map of an aggregation. Needs the privilege to create maps.
#include <bpf/bpf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "runtime/session/map_aggregation_source.h"

namespace dscope {
namespace {

struct MapKey {
  uint64_t key, cpu;
};

class ElementRemoverTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    MapPlan map{.name = "ds_agg_0", .kind = MapKind::Hash, .key_size = 16, .value_size = 8, .max_entries = 4096};
    plan_.aggregations.push_back({.name = "a",
                                  .key_size = 8,
                                  .is_cpu_in_key = true,
                                  .data_words = 1,
                                  .value_size = 8,
                                  .map = "ds_agg_0",
                                  .map_key_size = 16,
                                  .map_value_size = 8});
    auto created = BpfMap::create(map);
    if (!created) GTEST_SKIP() << created.error().message();
    maps_.emplace("ds_agg_0", std::move(*created));
    auto source = make_map_aggregation_source(plan_, maps_);
    ASSERT_TRUE(source) << source.error().message();
    source_ = std::move(*source);
  }

  void put(uint64_t key, uint64_t cpu, uint64_t value) {
    MapKey map_key{.key = key, .cpu = cpu};
    ASSERT_EQ(bpf_map_update_elem(maps_.at("ds_agg_0").fd(), &map_key, &value, BPF_ANY), 0);
  }

  static uint64_t word(std::span<const std::byte> bytes) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  ProgramPlan plan_;
  MapSet maps_;
  std::unique_ptr<AggregationSource> source_;
};

TEST_F(ElementRemoverTest, RemovesWhatIsNotKept) {
  constexpr uint64_t keys = 1500, kept_keys = 10;
  uint64_t cpus = std::min<uint64_t>(source_->cpu_count(), 2);
  for (uint64_t key = 0; key < keys; ++key)
    for (uint64_t cpu = 0; cpu < cpus; ++cpu) put(key, cpu, 100 * cpu + 3);
  uint64_t removed_sum = 0, removed_count = 0;
  auto read = [&] {
    return source_->read_kept(
        0, [&](std::span<const std::byte> key) { return word(key) < kept_keys; },
        [&](const AggregationElement& element) {
          EXPECT_GE(word(element.key), kept_keys);
          ASSERT_EQ(element.values.count(), 1U);
          removed_sum += word(element.values.value(0));
          ++removed_count;
        });
  };
  auto kept = read();
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_EQ(kept->size(), kept_keys);
  for (const AggregationElement& element : *kept) EXPECT_EQ(element.values.count(), cpus);
  EXPECT_EQ(removed_count, (keys - kept_keys) * cpus);
  EXPECT_EQ(removed_sum, (keys - kept_keys) * (cpus == 2 ? 106 : 3));
  EXPECT_EQ(source_->fill(0).elements, keys * cpus);
  EXPECT_EQ(source_->fill(0).capacity, 4096U);
  ASSERT_TRUE(read());
  EXPECT_EQ(removed_count, (keys - kept_keys) * cpus);
  EXPECT_EQ(source_->fill(0).elements, kept_keys * cpus);
}

}  // namespace
}  // namespace dscope
