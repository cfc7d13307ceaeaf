// The number of elements of aggregations whose size the script does not set.
#include "frontend/plan/aggregation_budget.h"

#include <gtest/gtest.h>

#include "contract/buffers/aggregation_memory.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

std::filesystem::path golden(const char* name) { return std::filesystem::path(DSCOPE_GOLDEN_DIR) / "plan" / name; }

const MapPlan* map_named(const ProgramPlan& plan, const std::string& name) {
  auto found = std::ranges::find(plan.maps, name, &MapPlan::name);
  return found == plan.maps.end() ? nullptr : &*found;
}

ProgramPlan plan_of_counts(size_t count, uint32_t elements) {
  ProgramPlan plan;
  for (size_t i = 0; i < count; ++i) {
    std::string name = "ds_agg_" + std::to_string(i);
    plan.aggregations.push_back({.key_size = 8, .is_cpu_in_key = true, .map = name});
    plan.maps.push_back(
        {.name = name, .kind = MapKind::Hash, .key_size = 16, .value_size = 8, .max_entries = elements});
  }
  return plan;
}

uint64_t total_bytes(const ProgramPlan& plan) {
  uint64_t bytes = 0;
  for (const MapPlan& map : plan.maps) bytes += hash_map_bytes(map);
  return bytes;
}

TEST(AggregationBudget, EachCpuOfALargeMachineHasRoomForItsKeys) {
  for (uint32_t cpus : {1, 2, 8, 16, 128, 256}) {
    auto compiled = CompiledText::on_large_machine(golden("aggregations.d"), cpus, 1024);
    ASSERT_FALSE(compiled.failed()) << compiled.problem();
    ProgramPlan plan = compiled.plan();
    for (const AggregationPlan& aggregation : plan.aggregations) {
      const MapPlan* map = map_named(plan, aggregation.map);
      ASSERT_NE(map, nullptr);
      if (aggregation.key_size == 0) continue;
      // As many for each CPU as the default aggsize holds, at most 16,384 or 131,072 in total.
      auto in_aggsize = static_cast<uint32_t>((4U << 20) / aggregation.element_size * cpus);
      EXPECT_EQ(map->max_entries, std::min(in_aggsize, std::max(1U << 17, cpus << 14))) << cpus;
    }
  }
}

// The kernel allocates the elements of a per-CPU map for each of the CPUs, one by one.
TEST(AggregationBudget, NamesOfProbesHaveTheCpuInTheKeyOnLargeMachines) {
  for (auto [cpus, kind] : {std::pair{4U, MapKind::PerCpuHash}, {1024U, MapKind::Hash}}) {
    auto compiled = CompiledText::on_large_machine(golden("syscall_all.d"), cpus, 1024);
    ASSERT_FALSE(compiled.failed()) << compiled.problem();
    ProgramPlan plan = compiled.plan();
    ASSERT_FALSE(plan.aggregations.empty());
    for (const AggregationPlan& aggregation : plan.aggregations) {
      if (aggregation.key_size == 0) continue;
      EXPECT_EQ(map_named(plan, aggregation.map)->kind, kind) << cpus;
    }
  }
}

TEST(AggregationBudget, AllAggregationsFitInAShareOfTheMemory) {
  MachineFacts facts{.cpu_count = 128, .online_cpu_count = 128, .page_count = (uint64_t{64} << 30) / 4096};
  ProgramPlan plan = plan_of_counts(20, 128 << 14);
  budget_aggregations(plan, facts);
  EXPECT_EQ(plan.aggregation_budget, uint64_t{1} << 30);
  EXPECT_LE(total_bytes(plan), uint64_t{1} << 30);
  EXPECT_GT(total_bytes(plan), uint64_t{1} << 29);
  for (const MapPlan& map : plan.maps) {
    EXPECT_GT(map.max_entries, min_default_elements);
    EXPECT_EQ(map.size_option, OptionId::Aggsize);  // the loader may lower it further
    EXPECT_EQ(map.requested_entries, map.max_entries);
  }
}

TEST(AggregationBudget, SmallMachinesKeepTheirElements) {
  MachineFacts facts{.cpu_count = 2, .online_cpu_count = 2, .page_count = (uint64_t{256} << 20) / 4096};
  ProgramPlan plan = plan_of_counts(3, min_default_elements);
  budget_aggregations(plan, facts);
  for (const MapPlan& map : plan.maps) {
    EXPECT_EQ(map.max_entries, min_default_elements);
    EXPECT_FALSE(map.size_option);
  }
}

TEST(AggregationBudget, AggmemoryIsObeyed) {
  MachineFacts facts{.cpu_count = 2, .online_cpu_count = 2, .page_count = 1 << 20};
  ProgramPlan plan = plan_of_counts(2, min_default_elements);
  plan.options.set_number(OptionId::Aggmemory, 4 << 20);
  budget_aggregations(plan, facts);
  EXPECT_LE(total_bytes(plan), uint64_t{4} << 20);
  EXPECT_GT(total_bytes(plan), uint64_t{2} << 20);
  // Maps whose size the script sets do not count.
  ProgramPlan sized = plan_of_counts(2, min_default_elements);
  sized.options.set_number(OptionId::Aggmemory, 4 << 20);
  for (MapPlan& map : sized.maps) map.size_option = OptionId::Aggsize;
  budget_aggregations(sized, facts);
  EXPECT_EQ(sized.maps[0].max_entries, min_default_elements);
}

}  // namespace
}  // namespace dscope
