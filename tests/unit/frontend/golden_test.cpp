// Goldens of the parser: tests/golden/ast/*.d with the tree expected in *.ast, and tests/golden/syntax_errors/
// err.<TAG>.<what>.d with the message expected in *.err. DSCOPE_UPDATE_GOLDEN=1 rewrites the expectations.
// A first line /* golden: string module args A B */ says how the file is compiled.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "parse_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_golden(const fs::path& expected, const std::string& actual) {
  if (std::getenv("DSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected, std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(read_file(expected), actual) << "DSCOPE_UPDATE_GOLDEN=1 accepts the new text of " << expected;
}

std::vector<fs::path> inputs(const char* folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_GOLDEN_DIR) / folder))
    if (entry.path().extension() == ".d") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string test_name(const ::testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

Setting setting_of(const fs::path& path, const std::string& text) {
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
    else ADD_FAILURE() << "unknown word in golden header: " << word;
  }
  return setting;
}

class AstGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(AstGolden, Tree) {
  std::string text = read_file(GetParam());
  ParsedText parsed(text, setting_of(GetParam(), text));
  ASSERT_FALSE(parsed.failed()) << render(parsed.diagnostics(), "dscope", true, DiagnosticStyle::Full);
  expect_golden(fs::path(GetParam()).replace_extension(".ast"), dump_tree(parsed.program()));
}

TEST_P(AstGolden, RoundTrip) {
  std::string text = read_file(GetParam());
  ParsedText parsed(text, setting_of(GetParam(), text));
  ASSERT_FALSE(parsed.failed());
  std::string printed = print_source(parsed.program());
  ParsedText again(printed, {.kind = UnitKind::Library});
  ASSERT_FALSE(again.failed()) << render(again.diagnostics(), "dscope", true, DiagnosticStyle::Full) << printed;
  EXPECT_EQ(dump_tree(parsed.program()), dump_tree(again.program())) << printed;
  EXPECT_EQ(print_source(again.program()), printed);
}

INSTANTIATE_TEST_SUITE_P(Golden, AstGolden, ::testing::ValuesIn(inputs("ast")), test_name);

class SyntaxErrorGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(SyntaxErrorGolden, Message) {
  std::string text = read_file(GetParam());
  ParsedText parsed(text, setting_of(GetParam(), text));
  ASSERT_TRUE(parsed.failed());
  // err.<TAG>.<what>.d
  std::string name = GetParam().filename().string();
  EXPECT_EQ(name.substr(4, name.find('.', 4) - 4), parsed.tag());
  expect_golden(fs::path(GetParam()).replace_extension(".err"),
                render(parsed.diagnostics(), "dscope", true, DiagnosticStyle::Full));
}

INSTANTIATE_TEST_SUITE_P(Golden, SyntaxErrorGolden, ::testing::ValuesIn(inputs("syntax_errors")), test_name);

}  // namespace
}  // namespace dscope
