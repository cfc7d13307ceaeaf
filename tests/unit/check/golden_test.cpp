// Goldens of the checker: tests/golden/check_errors/err.<TAG>.<what>.d with the message expected in *.err, and
// tests/golden/check_ok/*.d, which must check, and tests/golden/advice/*.d with the text for terminals in *.err.
// DSCOPE_UPDATE_GOLDEN=1 rewrites the expectations. A first line
// /* golden: string zdefs strsize=8 */ says how the text is compiled: as a string, and with which options.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "check_text.h"

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

CheckedText check_file(const fs::path& path) {
  UnitText unit{.text = read_file(path), .name = path.filename().string()};
  std::vector<std::string> options;
  constexpr std::string_view mark = "/* golden:";
  if (unit.text.starts_with(mark)) {
    std::istringstream words(unit.text.substr(mark.size(), unit.text.find("*/") - mark.size()));
    for (std::string word; words >> word;) {
      if (word == "string") unit.kind = UnitKind::String;
      else options.push_back(word);
    }
  }
  return CheckedText({std::move(unit)}, options);
}

class CheckErrorGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(CheckErrorGolden, Message) {
  CheckedText checked = check_file(GetParam());
  std::string name = GetParam().filename().string();  // err.<TAG>.<what>.d
  EXPECT_EQ(name.substr(4, name.find('.', 4) - 4), checked.tag()) << checked.rendered();
  expect_golden(fs::path(GetParam()).replace_extension(".err"), checked.rendered());
}

INSTANTIATE_TEST_SUITE_P(Golden, CheckErrorGolden, ::testing::ValuesIn(inputs("check_errors")), test_name);

class AdviceGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(AdviceGolden, FullText) {
  expect_golden(fs::path(GetParam()).replace_extension(".err"), check_file(GetParam()).rendered_in_full());
}

INSTANTIATE_TEST_SUITE_P(Golden, AdviceGolden, ::testing::ValuesIn(inputs("advice")), test_name);

class CheckOkGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(CheckOkGolden, Checks) { EXPECT_EQ(check_file(GetParam()).rendered(), ""); }

INSTANTIATE_TEST_SUITE_P(Golden, CheckOkGolden, ::testing::ValuesIn(inputs("check_ok")), test_name);

}  // namespace
}  // namespace dscope
