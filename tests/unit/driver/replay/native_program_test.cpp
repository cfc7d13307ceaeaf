// Every golden of the IR as native code, for the machine of FakeHost. The oracle (tests/oracle) runs native code.
#include "driver/replay/native_program.h"

#include <gtest/gtest.h>

#include "tests/support/golden_files.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

class NativeGolden : public testing::TestWithParam<std::filesystem::path> {};

// Programs that change processes, or that fire where only a kernel can be, call helpers that native code lacks.
TEST_P(NativeGolden, CompilesOrNamesTheHelper) {
  CompiledText text(GetParam());
  ASSERT_FALSE(text.failed()) << text.problem();
  FakeHost host;
  auto program = make_native_program(text.compilation(), host);
  if (program) return;
  EXPECT_NE(program.error().message().find("native code cannot call the helper"), std::string::npos)
      << program.error().message();
}

INSTANTIATE_TEST_SUITE_P(Golden, NativeGolden, ::testing::ValuesIn(golden_inputs("ir")), golden_test_name);

}  // namespace
}  // namespace dscope
