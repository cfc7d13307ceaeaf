#include "contract/buffers/service_maps.h"

#include <gtest/gtest.h>

#include "contract/record_format.h"

namespace dscope {
namespace {

AggregationPlan keyed(uint32_t value_size) {
  return {.name = "a", .key_size = 8, .value_size = value_size, .map = "ds_agg_0"};
}

BpfProgramPlan program_at(Hook hook) {
  BpfProgramPlan program;
  program.attachments.push_back({.hook = std::move(hook)});
  return program;
}

TEST(ServiceMaps, OverflowHasRoomForEachKeyedAggregation) {
  ProgramPlan plan;
  plan.aggregations = {keyed(8), keyed(1016), keyed(8), keyed(8), keyed(16)};
  plan.aggregations[2].key_size = 0;
  plan.aggregations[3].map.clear();  // recorded, or never updated
  ClausePlan clause;
  clause.actions.push_back({.action = Action::Clear, .aggregations = {4}});
  plan.clauses.push_back(clause);
  OverflowLayout layout = overflow_layout(plan);
  EXPECT_EQ(layout.size, 1024U);
  std::vector<std::optional<uint32_t>> expected = {0, 8, std::nullopt, std::nullopt, std::nullopt};
  EXPECT_EQ(layout.offsets, expected);
  add_service_maps(plan, 3);
  ASSERT_EQ(plan.maps.size(), 2U);
  EXPECT_EQ(plan.maps[0].name, "ds_overflow");
  EXPECT_EQ(plan.maps[0].max_entries, 3U);
  EXPECT_EQ(plan.maps[1].value_size, sizeof(ds_handover));
}

TEST(ServiceMaps, RolesBelongToHooksNotToPositionsInThePlan) {
  ProgramPlan before, after;
  before.programs = {program_at(HookRawTracepoint{"sys_enter"}),
                     program_at(HookUprobe{.path = "/bin/true", .offset = 16})};
  after.programs = {program_at(HookTimer{.period_ns = 5}), program_at(HookUprobe{.path = "/bin/true", .offset = 16}),
                    program_at(HookRawTracepoint{"sys_enter"}), program_at(HookRawTracepoint{"sys_enter"})};
  HandoverRole entry = handover_role(before, 0), function = handover_role(before, 1);
  EXPECT_EQ(entry.order, DS_ORDER_OLD_FIRST);
  EXPECT_EQ(function.order, DS_ORDER_NEW_FIRST);
  EXPECT_NE(entry.slot, function.slot);
  EXPECT_EQ(handover_role(after, 2).slot, entry.slot);
  EXPECT_EQ(handover_role(after, 1).slot, function.slot);
  EXPECT_NE(handover_role(after, 3).slot, entry.slot);  // another program at the same hook
  EXPECT_EQ(handover_role(after, 0).order, DS_ORDER_UNKNOWN);
}

}  // namespace
}  // namespace dscope
