// Every golden program that checks compiles to a well-formed module and an object, whatever features the machine has.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "codegen/core/object.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> all_inputs() {
  std::vector<fs::path> paths;
  for (const char* folder : {"ast", "check_ok", "ir", "plan"})
    for (fs::path& path : golden_inputs(folder)) paths.push_back(std::move(path));
  return paths;
}

void expect_object(const CompiledText& compiled, const LowerOptions& options, Effort effort = Effort::Default,
                   Shape shape = Shape::Fast) {
  IrModule ir = compiled.lowered(options);
  ASSERT_EQ(verify_ir(ir), "");
  auto optimized = optimize(ir, compiled.is_cpu_v4(), effort, shape);
  ASSERT_TRUE(optimized.has_value()) << optimized.error().message();
  EXPECT_EQ(verify_ir(ir), "");
  auto object = emit_object(ir, compiled.is_cpu_v4());
  ASSERT_TRUE(object.has_value()) << object.error().message();
  EXPECT_FALSE(object->bytes.empty());
}

size_t object_size(const CompiledText& compiled, Shape shape) {
  IrModule ir = compiled.lowered();
  EXPECT_TRUE(optimize(ir, compiled.is_cpu_v4(), Effort::Default, shape).has_value());
  auto object = emit_object(ir, compiled.is_cpu_v4());
  return object ? object->bytes.size() : 0;
}

// Parser goldens test syntax only, so some of them do not check on the fake machine.
bool must_check(const fs::path& path) { return path.parent_path().filename() != "ast"; }

class LowerGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(LowerGolden, CompilesWithTrustedLoads) {
  CompiledText compiled(GetParam());
  EXPECT_TRUE(!compiled.failed() || !must_check(GetParam())) << compiled.problem();
  if (!compiled.failed()) expect_object(compiled, {});
}

// The number of functions that are defined with this part of a name.
size_t function_definitions(const CompiledText& compiled, Shape shape, std::string_view name) {
  IrModule ir = compiled.lowered();
  EXPECT_TRUE(optimize(ir, compiled.is_cpu_v4(), Effort::Default, shape).has_value());
  std::istringstream text(print_ir(ir));
  size_t count = 0;
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("define") && line.find(name) != std::string::npos) ++count;
  return count;
}

TEST_P(LowerGolden, CompilesWithCheckedCopies) {
  CompiledText compiled(GetParam());
  if (!compiled.failed()) expect_object(compiled, {.trusted_loads = false});
}

TEST_P(LowerGolden, CompilesWithLines) {
  CompiledText compiled(GetParam());
  if (!compiled.failed()) expect_object(compiled, {.debug_info = true});
}

TEST_P(LowerGolden, CompilesWithQuickPasses) {
  CompiledText compiled(GetParam());
  if (!compiled.failed()) expect_object(compiled, {}, Effort::Quick);
}

TEST_P(LowerGolden, CompilesInShort) {
  CompiledText compiled(GetParam());
  if (!compiled.failed()) expect_object(compiled, {}, Effort::Default, Shape::Short);
}

// 60 strings of 512 bytes: instructions of 8 bytes load and store 8 bytes of a string.
TEST(CalledCopies, ShortenProgramsWithLongStrings) {
  fs::path path = fs::path{testing::TempDir()} / "long_strings.d";
  std::string assignments;
  for (int i = 0; i < 30; ++i) assignments += "  s = t;\n  t = s;\n";
  std::ofstream{path} << "/* golden: strsize=512 */\nstring s, t;\nBEGIN\n{\n" << assignments << "}\n";
  CompiledText compiled(path);
  ASSERT_FALSE(compiled.failed()) << compiled.problem();
  size_t inlined = object_size(compiled, Shape::Fast), called = object_size(compiled, Shape::Short);
  EXPECT_GT(inlined, 60 * 512);
  EXPECT_LT(called, inlined / 4);
  fs::remove(path);
}

// One global function for each combination of function and sizes: "x" and t have different capacities.
TEST(ShortPrograms, ShareGlobalStringFunctions) {
  fs::path path = fs::path{testing::TempDir()} / "string_functions.d";
  std::ofstream{path}
      << "string s, t;\nBEGIN\n{\n  s = strjoin(s, t);\n  t = strjoin(t, s);\n  s = strjoin(s, \"x\");\n}\n";
  CompiledText compiled(path);
  ASSERT_FALSE(compiled.failed()) << compiled.problem();
  EXPECT_EQ(function_definitions(compiled, Shape::Fast, "@ds_global_"), 0U);
  EXPECT_EQ(function_definitions(compiled, Shape::Short, "@ds_global_strjoin_1.264.264.264("), 1U);
  EXPECT_EQ(function_definitions(compiled, Shape::Short, "@ds_global_strjoin"), 2U);
  fs::remove(path);
}

// LLVM aborts the process by default. Instructions before version 4 jump over at most 32,767 others.
TEST(LargeClauses, AreErrorsWithoutLongBranches) {
  fs::path path = fs::path{testing::TempDir()} / "large_clause.d";
  std::string assignments;
  for (int i = 0; i < 150; ++i) assignments += "  s = t;\n  t = s;\n";
  std::ofstream{path} << "/* golden: strsize=512 */\nstring s, t;\nBEGIN\n/s != \"\"/\n{\n" << assignments << "}\n";
  CompiledText compiled = CompiledText::on_old_machine(path);
  ASSERT_FALSE(compiled.failed()) << compiled.problem();
  ASSERT_FALSE(compiled.is_cpu_v4());
  for (Shape shape : {Shape::Fast, Shape::Short}) {
    IrModule ir = compiled.lowered();
    ASSERT_TRUE(optimize(ir, false, Effort::Default, shape).has_value());
    auto object = emit_object(ir, false);
    EXPECT_EQ(object.has_value(), shape == Shape::Short);
    if (object) continue;
    EXPECT_EQ(object.error().message(),
              "program is too large: a branch of a clause spans more than 32,767 instructions");
  }
  fs::remove(path);
}

TEST_P(LowerGolden, CompilesWithFullPasses) {
  CompiledText compiled(GetParam());
  if (!compiled.failed()) expect_object(compiled, {}, Effort::Full);
}

TEST_P(LowerGolden, CompilesForOldMachine) {
  CompiledText compiled = CompiledText::on_old_machine(GetParam());
  if (!compiled.failed()) expect_object(compiled, {});
}

TEST_P(LowerGolden, CompilesForArm64) {
  CompiledText compiled = CompiledText::on_processor(GetParam(), "aarch64");
  EXPECT_TRUE(!compiled.failed() || !must_check(GetParam())) << compiled.problem();
  if (!compiled.failed()) expect_object(compiled, {});
}

INSTANTIATE_TEST_SUITE_P(Golden, LowerGolden, ::testing::ValuesIn(all_inputs()), golden_test_name);

}  // namespace
}  // namespace dscope
