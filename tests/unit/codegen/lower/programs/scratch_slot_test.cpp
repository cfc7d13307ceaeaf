// The map of scratch slots: per CPU, or an ordinary array for the CPUs that are online.
#include <gtest/gtest.h>

#include <algorithm>

#include "codegen/core/object.h"
#include "driver/bundle/bundle_code.h"
#include "driver/bundle/portable_code.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

const fs::path script = fs::path(DSCOPE_GOLDEN_DIR) / "ir/error_clause_with_scratch.d";

MapPlan scratch_map(const ProgramPlan& plan) {
  auto found = std::ranges::find(plan.maps, "ds_scratch", &MapPlan::name);
  EXPECT_NE(found, plan.maps.end());
  return found == plan.maps.end() ? MapPlan{} : *found;
}

MapPlan scratch_of(uint32_t possible, uint32_t online) {
  return scratch_map(CompiledText::on_sparse_machine(script, possible, online).plan());
}

TEST(Scratch, IsPerCpuWhereMostCpusAreOnline) {
  for (auto [possible, online] : {std::pair{1U, 1U}, {2U, 1U}, {4U, 2U}, {8U, 3U}, {1024U, 1000U}}) {
    MapPlan map = scratch_of(possible, online);
    EXPECT_EQ(map.kind, MapKind::PerCpuArray) << possible;
    EXPECT_EQ(map.max_entries, 4U) << possible;
  }
}

TEST(Scratch, HasSlotsForOnlineCpusWhereMostAreAbsent) {
  for (auto [possible, online, groups] :
       {std::tuple{4U, 1U, 1U}, {240U, 4U, 4U}, {240U, 5U, 8U}, {1024U, 200U, 256U}}) {
    MapPlan map = scratch_of(possible, online);
    EXPECT_EQ(map.kind, MapKind::Array) << possible;
    EXPECT_EQ(map.max_entries, 4 * groups) << possible;
  }
}

// A bundle that was built on such a machine gets the number of groups where it runs.
TEST(Scratch, BundlesAreBoundToTheOnlineCpus) {
  auto here = CompiledText::on_sparse_machine(script, 240, 4), there = CompiledText::on_sparse_machine(script, 480, 16);
  auto built = portable_code(here.compilation(), CodeForm::Fast),
       native = portable_code(there.compilation(), CodeForm::Fast);
  ASSERT_TRUE(built.has_value() && native.has_value());
  auto bound = bind_code(*built, there.compilation()), expected = bind_code(*native, there.compilation());
  ASSERT_TRUE(bound.has_value() && expected.has_value());
  EXPECT_EQ(bound->bytes, expected->bytes);
  auto for_here = bind_code(*built, here.compilation());
  ASSERT_TRUE(for_here.has_value());
  EXPECT_NE(bound->bytes, for_here->bytes);
}

}  // namespace
}  // namespace dscope
