// docs/architecture.md shows the output of each phase for one program, between <!-- dump:STAGE --> and <!-- end -->.
// This test regenerates and compares the dumps. DSCOPE_UPDATE_GOLDEN=1 rewrites them. Every file the page names must
// exist.
#include <gtest/gtest.h>

#include <regex>

#include "driver/inspect/dump.h"
#include "tests/unit/codegen/compiled_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

const fs::path page = fs::path(DSCOPE_DOCS_DIR) / "architecture.md";

// The lines of `text` from the line that starts with `first` to the line `last`.
std::string lines_between(const std::string& text, const std::string& first, const std::string& last) {
  size_t begin = text.find("\n" + first);
  size_t end = text.find("\n" + last + "\n", begin);
  EXPECT_NE(begin, std::string::npos) << first;
  EXPECT_NE(end, std::string::npos) << last;
  return text.substr(begin + 1, end + last.size() + 1 - begin);
}

std::string trimmed(DumpStage stage, const std::string& text) {
  switch (stage) {
    case DumpStage::Ir:
    case DumpStage::IrOpt: return lines_between(text, "define i32 @prog_0", "}");
    case DumpStage::Asm: return lines_between(text, "prog_0:", "\texit");
    case DumpStage::Summary:
    case DumpStage::Tokens:
    case DumpStage::Ast:
    case DumpStage::Source:
    case DumpStage::Types:
    case DumpStage::Probes:
    case DumpStage::Plan:
    case DumpStage::Object: return text;
  }
  return text;
}

std::string dump_of(const std::string& name, const Compilation& compilation) {
  for (int i = 0; i <= static_cast<int>(DumpStage::Asm); ++i) {
    auto stage = static_cast<DumpStage>(i);
    if (to_string(stage) != name) continue;
    auto text = dump(stage, compilation);
    // lines_between() searches for whole lines.
    if (text) text->insert(0, stage == DumpStage::Asm ? "\n" : "");
    EXPECT_TRUE(text.has_value()) << text.error().message();
    return text ? trimmed(stage, *text) : "";
  }
  ADD_FAILURE() << "no stage " << name;
  return "";
}

TEST(ArchitectureGolden, DumpsMatchThePhases) {
  FakeHost host;
  Compilation compilation;
  CommandLine line{.program_name = "dscope", .invoked_as = "dscope"};
  line.programs.push_back({.letter = 'n', .text = "syscall::read:entry { @[execname] = count(); }"});
  line.dumps = {DumpStage::Tokens};
  OptionValues options;
  ASSERT_TRUE(options.set("nolibs", "", false, OptionOrigin::CommandLine).has_value());
  ASSERT_TRUE(compile(compilation, line, options, host, 0).has_value());
  ASSERT_FALSE(compilation.diagnostics.has_errors());

  const std::string open = "<!-- dump:", close = " -->\n", end = "<!-- end -->";
  std::string text = read_file(page), made;
  size_t done = 0, count = 0;
  for (size_t at = 0; (at = text.find(open, done)) != std::string::npos; ++count) {
    size_t name_end = text.find(close, at);
    ASSERT_NE(name_end, std::string::npos);
    std::string name = text.substr(at + open.size(), name_end - at - open.size());
    made += text.substr(done, name_end + close.size() - done) + "```\n" + dump_of(name, compilation) + "```\n";
    done = text.find(end, name_end);
    ASSERT_NE(done, std::string::npos) << "no end of dump " << name;
  }
  EXPECT_GE(count, 7U);
  expect_golden(page, made + text.substr(done));
}

TEST(Architecture, NamedFilesExist) {
  std::string text = read_file(page);
  static const std::regex name("`([a-z_]+/[a-z_/]*[a-z_]+\\.(?:cpp|h|def|md|c|cmake|txt|bpf\\.c))`");
  size_t count = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), name), last; it != last; ++it, ++count)
    EXPECT_TRUE(fs::exists(fs::path(DSCOPE_DOCS_DIR).parent_path() / (*it)[1].str())) << (*it)[1];
  EXPECT_GT(count, 20U);
}

}  // namespace
}  // namespace dscope
