// Goldens of the IR, partial on purpose: comments /* CHECK: text */ in tests/golden/ir/*.d name text that must appear,
// in this order, in the IR before optimization. Comments /* NEVER: text */ name text that must not appear at all.
// ARM64 and NEVER-ON-ARM64 are CHECK and NEVER for a program that is compiled for arm64.
// Comments /* DUMP: text */ and /* ASM: text */ name text that must appear, in this order, in --dump=ir and --dump=asm;
// NOT-IN-DUMP, text that must not appear in either.
#include <gtest/gtest.h>

#include "driver/inspect/dump.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> comments(const std::string& text, const std::string& mark) {
  std::vector<std::string> found;
  std::string open = "/* " + mark + ": ";
  for (size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
    at += open.size();
    found.push_back(text.substr(at, text.find(" */", at) - at));
  }
  return found;
}

void expect_in_order(const std::string& text, const std::vector<std::string>& wanted) {
  size_t at = 0;
  for (const std::string& line : wanted) {
    size_t found = text.find(line, at);
    ASSERT_NE(found, std::string::npos) << "not found after the previous match: " << line << "\n" << text.substr(at);
    at = found + line.size();
  }
}

class IrGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(IrGolden, ContainsExpectedText) {
  CompiledText compiled(GetParam());
  ASSERT_FALSE(compiled.failed()) << compiled.problem();
  IrModule module = compiled.lowered();
  std::string ir = print_ir(module);
  std::string text = read_file(GetParam());
  std::vector<std::string> wanted = comments(text, "CHECK"), dumped = comments(text, "DUMP");
  EXPECT_FALSE(wanted.empty() && dumped.empty()) << "a golden of the IR needs CHECK or DUMP comments";
  expect_in_order(ir, wanted);
  for (const std::string& line : comments(text, "NEVER")) EXPECT_EQ(ir.find(line), std::string::npos) << line;
  if (std::vector<std::string> on_arm64 = comments(text, "ARM64"); !on_arm64.empty()) {
    CompiledText other = CompiledText::on_processor(GetParam(), "aarch64");
    ASSERT_FALSE(other.failed()) << other.problem();
    IrModule other_module = other.lowered();
    std::string other_ir = print_ir(other_module);
    expect_in_order(other_ir, on_arm64);
    for (const std::string& line : comments(text, "NEVER-ON-ARM64"))
      EXPECT_EQ(other_ir.find(line), std::string::npos) << line;
  }
  if (dumped.empty()) return;

  auto dump_ir = dump(DumpStage::Ir, compiled.compilation()), dump_asm = dump(DumpStage::Asm, compiled.compilation());
  ASSERT_TRUE(dump_ir && dump_asm);
  expect_in_order(*dump_ir, dumped);
  expect_in_order(*dump_asm, comments(text, "ASM"));
  for (const std::string& line : comments(text, "NOT-IN-DUMP"))
    EXPECT_EQ((*dump_ir + *dump_asm).find(line), std::string::npos) << line;
}

INSTANTIATE_TEST_SUITE_P(Golden, IrGolden, ::testing::ValuesIn(golden_inputs("ir")), golden_test_name);

}  // namespace
}  // namespace dscope
