// Goldens of the plan: tests/golden/plan/*.d with the text of dump_plan() in *.plan.
#include <gtest/gtest.h>

#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

class PlanGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(PlanGolden, MatchesExpectedPlan) {
  CompiledText compiled(GetParam());
  ASSERT_FALSE(compiled.failed()) << compiled.problem();
  expect_golden(fs::path(GetParam()).replace_extension(".plan"), dump_plan(compiled.plan()));
}

INSTANTIATE_TEST_SUITE_P(Golden, PlanGolden, ::testing::ValuesIn(golden_inputs("plan")), golden_test_name);

}  // namespace
}  // namespace dscope
