// Checker goldens: tests/golden/check_errors/<FAMILY>/err.<TAG>.<case>.d with the expected message in *.err,
// tests/golden/check_ok/*.d, which must check without errors, and tests/golden/advice/<FAMILY>/*.d with the expected
// text for terminals in *.err. DSCOPE_UPDATE_GOLDEN=1 rewrites the expectations. A first line
// /* golden: string zdefs strsize=8 */ compiles the text as a string and with the named options.
#include <filesystem>
#include <sstream>

#include "check_text.h"
#include "tests/support/golden_files.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

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

TEST_P(CheckErrorGolden, PrintsExpectedMessage) {
  CheckedText checked = check_file(GetParam());
  std::string name = GetParam().filename().string();  // err.<TAG>.<case>.d
  EXPECT_EQ(name.substr(4, name.find('.', 4) - 4), checked.tag()) << checked.rendered();
  expect_golden(fs::path(GetParam()).replace_extension(".err"), checked.rendered());
}

INSTANTIATE_TEST_SUITE_P(Golden, CheckErrorGolden, ::testing::ValuesIn(golden_inputs("check_errors")),
                         golden_test_name);

class AdviceGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(AdviceGolden, PrintsExpectedText) {
  expect_golden(fs::path(GetParam()).replace_extension(".err"), check_file(GetParam()).rendered_in_full());
}

INSTANTIATE_TEST_SUITE_P(Golden, AdviceGolden, ::testing::ValuesIn(golden_inputs("advice")), golden_test_name);

class CheckOkGolden : public ::testing::TestWithParam<fs::path> {};

TEST_P(CheckOkGolden, ChecksWithoutErrors) { EXPECT_EQ(check_file(GetParam()).rendered(), ""); }

INSTANTIATE_TEST_SUITE_P(Golden, CheckOkGolden, ::testing::ValuesIn(golden_inputs("check_ok")), golden_test_name);

}  // namespace
}  // namespace dscope
