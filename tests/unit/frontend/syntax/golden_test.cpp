// Parser goldens: tests/golden/ast/*.d with the expected tree in *.ast, and
// tests/golden/syntax_errors/<FAMILY>/err.<TAG>.<case>.d with the expected message in *.err.
// DSCOPE_UPDATE_GOLDEN=1 rewrites the expectations.
// A first line /* golden: string module args A B */ sets the compilation mode and the arguments of the file.
#include <filesystem>
#include <sstream>

#include "frontend/advice/advice.h"
#include "parse_text.h"
#include "tests/support/golden_files.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

enum class OtherWords { AreErrors, AreOptions };

Setting setting_of(const fs::path& path, const std::string& text, OtherWords others = OtherWords::AreErrors) {
  Setting setting;
  setting.name = path.filename().string();
  constexpr std::string_view mark = "/* golden:";
  if (!text.starts_with(mark)) return setting;
  std::istringstream words(text.substr(mark.size(), text.find("*/") - mark.size()));
  bool in_arguments = false;
  for (std::string word; words >> word;) {
    if (in_arguments) setting.arguments.push_back(word);
    else if (word == "args") in_arguments = true;
    else if (word == "string") setting.kind = UnitKind::String;
    else if (word == "library") setting.kind = UnitKind::Library;
    else if (word == "module") setting.last_field = SpecifierField::Module;
    else if (others == OtherWords::AreErrors) ADD_FAILURE() << "unknown word in golden header: " << word;
  }
  return setting;
}

class AstGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(AstGolden, MatchesExpectedTree) {
  std::string text = read_file(GetParam());
  ParsedText parsed(text, setting_of(GetParam(), text));
  ASSERT_FALSE(parsed.failed()) << render(parsed.diagnostics(), "dscope", true);
  expect_golden(fs::path(GetParam()).replace_extension(".ast"), dump_tree(parsed.program()));
}

INSTANTIATE_TEST_SUITE_P(Golden, AstGolden, ::testing::ValuesIn(golden_inputs("ast")), golden_test_name);

void expect_round_trip(const ParsedText& parsed, bool knows_every_type) {
  std::string printed = print_source(parsed.program());
  ParsedText again(printed, {.kind = UnitKind::Library, .knows_every_type = knows_every_type});
  ASSERT_FALSE(again.failed()) << render(again.diagnostics(), "dscope", true) << printed;
  EXPECT_EQ(dump_tree(parsed.program()), dump_tree(again.program())) << printed;
  EXPECT_EQ(print_source(again.program()), printed);
}

TEST_P(AstGolden, SurvivesRoundTrip) {
  std::string text = read_file(GetParam());
  ParsedText parsed(text, setting_of(GetParam(), text));
  ASSERT_FALSE(parsed.failed());
  expect_round_trip(parsed, false);
}

// Reads @@options of an end-to-end test script. Its operands are macro arguments.
void add_test_operands(const std::string& text, Setting& setting) {
  constexpr std::string_view mark = "@@options:";
  size_t at = text.find(mark);
  if (at == std::string::npos) return;
  std::istringstream words(text.substr(at + mark.size(), text.find('\n', at) - at - mark.size()));
  for (std::string word; words >> word && word != "*/";) {
    if (word == "-x" || word == "-c") words >> word;
    else if (!word.starts_with("-")) setting.arguments.push_back(word);
  }
}

// `path` is relative to the root of the tree.
bool must_parse(const fs::path& path) {
  std::string text = path.generic_string();
  return !text.starts_with("tests/golden/syntax_errors/") && !text.starts_with("tests/golden/advice/");
}

// Every D text of the source tree, parsed and printed, parses to the same syntax tree again.
TEST(RoundTrip, PreservesEveryScriptOfTheTree) {
  const fs::path root = fs::path(DSCOPE_GOLDEN_DIR).parent_path().parent_path();
  int count = 0;
  for (const char* folder : {"tests/golden", "tests/e2e", "frontend/library", "tools"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path& path = entry.path();
      std::string folder_name = path.parent_path().filename();
      // Only a host can resolve types of a module.
      if (path.filename() == "scoped_types.d") continue;
      // The preprocessor tests are not valid D before preprocessing.
      if (path.extension() != ".d" || folder_name == "preprocessor") continue;
      if (!must_parse(fs::relative(path, root))) continue;
      SCOPED_TRACE(path);
      std::string text = read_file(path);
      Setting setting =
          folder == std::string("tests/golden") ? setting_of(path, text, OtherWords::AreOptions) : Setting{};
      if (folder_name == "library") setting.kind = UnitKind::Library;
      add_test_operands(text, setting);
      // A clause whose descriptions have options without a value has no form in D.
      setting.script_values = {{"function", "main"}, {"kernel", "vfs_read"}, {"syscall", "read"}, {"interval", "1s"}};
      setting.options.allow_unused_argument = setting.options.allow_empty = setting.knows_every_type = true;
      ParsedText parsed(text, setting);
      ASSERT_FALSE(parsed.failed()) << render(parsed.diagnostics(), "dscope", true);
      expect_round_trip(parsed, true);
      ++count;
    }
  }
  EXPECT_GT(count, 400);
}

class SyntaxErrorGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(SyntaxErrorGolden, PrintsExpectedMessage) {
  std::string text = read_file(GetParam());
  ParsedText parsed(text, setting_of(GetParam(), text));
  ASSERT_TRUE(parsed.failed());
  // err.<TAG>.<case>.d
  std::string name = GetParam().filename().string();
  EXPECT_EQ(name.substr(4, name.find('.', 4) - 4), parsed.tag());
  expect_golden(fs::path(GetParam()).replace_extension(".err"),
                render_full(parsed.diagnostics(), "dscope", true, advice(parsed.diagnostics())));
}

INSTANTIATE_TEST_SUITE_P(Golden, SyntaxErrorGolden, ::testing::ValuesIn(golden_inputs("syntax_errors")),
                         golden_test_name);

}  // namespace
}  // namespace dscope
