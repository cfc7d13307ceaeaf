// Compiles every construct of dscope that depends on the kernel's types, for each kernel whose BTF is cached
// (tests/vm/fetch-kernel), and compares the result with docs/reference/kernels.md. DSCOPE_UPDATE_GOLDEN=1 rewrites the
// tables there. Without a cached kernel, the test is skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "driver/compile/code_generation.h"
#include "driver/compile/compilation.h"
#include "runtime/providers/live_host.h"
#include "tests/kernels/btf_machine.h"
#include "tests/kernels/cached_kernels.h"
#include "tests/kernels/constructs.h"
#include "tests/kernels/kernel_table.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file{path};
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

enum class Column : uint8_t { Present, Absent };

// The cached kernels that have a column in the tables, or those that have none.
std::vector<std::string> cached_kernels(Column wanted) {
  KernelTable table = KernelTable::parse(read_text(DSCOPE_KERNELS_DOCUMENT));
  std::vector<std::string> kernels = cached_versions();
  std::erase_if(kernels, [&](const std::string& kernel) { return table.has(kernel) != (wanted == Column::Present); });
  return kernels;
}

// Returns the reason why the program of -n, or the file of -s, does not compile for the machine in use; empty if it
// compiles.
std::string mistake_in(const std::string& program, char letter = 'n') {
  CommandLine line{.program_name = "dscope", .invoked_as = "dscope"};
  line.programs.push_back({.letter = letter, .text = program});
  auto options = make_options(line, [](const std::string&) -> const char* { return nullptr; });
  if (!options) return options.error().message();
  std::unique_ptr<LiveHost> host = make_live_host();
  Compilation compilation;
  if (auto compiled = compile(compilation, line, *options, *host, 0); !compiled) return compiled.error().message();
  if (compilation.diagnostics.has_errors())
    return compilation.diagnostics.first().message + "; " + compilation.diagnostics.first().hint;
  auto code = Compiler().generate(compilation, CodeForm::Fast);
  return code ? std::string{} : code.error().message();
}

class Kernels : public testing::TestWithParam<std::string> {
 protected:
  void check(const Construct& construct);

  KernelColumn column_;
  std::vector<std::string> internal_mistakes_;

 private:
  void add_missing(const Construct& construct, const std::string& name, const std::string& mistake);
};

// "provider io"
std::string group_of(const Construct& construct) {
  const std::string& description = construct.description;
  if (description == "BEGIN") return "D libraries";
  return (construct.pragma.empty() ? "" : "compat=solaris ") + description.substr(0, description.find(':'));
}

void Kernels::add_missing(const Construct& construct, const std::string& name, const std::string& mistake) {
  fmt::print("{}: {}: {}\n", GetParam(), name, mistake);
  if (construct.is_internal) internal_mistakes_.push_back(name);
  else column_.missing.push_back(name);
}

void Kernels::check(const Construct& construct) {
  KernelColumn::Count& count = column_.groups[group_of(construct)];
  count.total += construct.parts.size();
  char letter = construct.script.empty() ? 'n' : 's';
  if (mistake_in(construct.program(), letter).empty()) {
    count.working += construct.parts.size();
    return;
  }
  // A probe that is missing has no members.
  if (std::string mistake = mistake_in(construct.program(Construct::Part{}), letter); !mistake.empty())
    return add_missing(construct, construct.name, mistake);
  for (const Construct::Part& part : construct.parts) {
    std::string mistake = mistake_in(construct.program(part));
    if (mistake.empty()) ++count.working;
    else add_missing(construct, construct.name_of(part), mistake);
  }
}

TEST_P(Kernels, HaveWhatTheTableSays) {
  auto record = machine_of_btf(cached_btf(GetParam()), GetParam());
  ASSERT_TRUE(record.has_value()) << record.error().message();
  auto machine = RecordInUse::open(*record);
  ASSERT_TRUE(machine.has_value()) << machine.error().message();
  for (const Construct& construct : all_constructs(DSCOPE_SOURCE_LIBRARY_DIR, DSCOPE_TOOL_DIR)) check(construct);

  std::string document = read_text(DSCOPE_KERNELS_DOCUMENT);
  KernelTable before = KernelTable::parse(document), after = before;
  after.set(GetParam(), column_);
  if (std::getenv("DSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream{DSCOPE_KERNELS_DOCUMENT} << after.insert_into(document);
    return;
  }
  EXPECT_EQ(after.render(), before.render()) << "rewrite the tables with DSCOPE_UPDATE_GOLDEN=1 ./dev kernels";
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Kernels);
std::string test_name(const testing::TestParamInfo<std::string>& kernel) {
  std::string name = kernel.param;
  std::ranges::replace(name, '.', '_');
  return name;
}
// A new kernel of Debian must not break the tests of a change that has nothing to do with it, so its test is one of its
// own.
INSTANTIATE_TEST_SUITE_P(Known, Kernels, testing::ValuesIn(cached_kernels(Column::Present)), test_name);
INSTANTIATE_TEST_SUITE_P(New, Kernels, testing::ValuesIn(cached_kernels(Column::Absent)), test_name);

}  // namespace
}  // namespace dscope
