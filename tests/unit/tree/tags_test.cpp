// Each error tag is shown by a test: a golden program err.TAG.*.d, or a test of a run for tags that the compiler alone
// cannot report.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

const fs::path source_tree = DSCOPE_ROOT;

// The tags of processes: FakeHost has none.
const std::map<std::string, std::string> run_tests = {
    {"D_PROC_ALIGN", "tests/e2e/message_test.cpp"},      {"D_PROC_BADPID", "tests/e2e/message_test.cpp"},
    {"D_PROC_CREATEFAIL", "tests/e2e/message_test.cpp"}, {"D_PROC_FUNC", "tests/e2e/targets/target_test.cpp"},
    {"D_PROC_GRAB", "tests/e2e/message_test.cpp"},       {"D_PROC_LIB", "tests/e2e/message_test.cpp"},
    {"D_PROC_NAME", "tests/e2e/message_test.cpp"},       {"D_PROC_OFF", "tests/e2e/message_test.cpp"},
};

std::set<std::string> all_tags() {
  std::set<std::string> tags;
  std::ifstream rows(source_tree / "src/support/tags.def");
  for (std::string line; std::getline(rows, line);)
    if (line.starts_with("DS_TAG(")) tags.insert(line.substr(7, line.find(')') - 7));
  return tags;
}

// The tags of the programs err.TAG.*.d.
std::set<std::string> golden_tags() {
  std::set<std::string> tags;
  for (const auto& entry : fs::recursive_directory_iterator(source_tree / "tests/golden")) {
    std::string name = entry.path().filename();
    if (name.starts_with("err.") && name.ends_with(".d")) tags.insert(name.substr(4, name.find('.', 4) - 4));
  }
  return tags;
}

TEST(Tags, EachHasAGoldenProgramOrATestOfARun) {
  std::set<std::string> tags = all_tags(), shown = golden_tags();
  EXPECT_GT(tags.size(), 150U);
  for (const std::string& tag : tags)
    EXPECT_TRUE(shown.contains(tag) || run_tests.contains(tag))
        << tag << " needs a program tests/golden/*/err." << tag << ".*.d, or a test of a run that is listed here";
}

TEST(Tags, GoldenProgramsNameTagsThatExist) {
  std::set<std::string> tags = all_tags();
  for (const std::string& tag : golden_tags()) EXPECT_TRUE(tags.contains(tag)) << "err." << tag;
}

TEST(Tags, TestsOfRunsExist) {
  std::set<std::string> tags = all_tags(), shown = golden_tags();
  for (const auto& [tag, file] : run_tests) {
    std::stringstream text;
    text << std::ifstream(source_tree / file).rdbuf();
    EXPECT_TRUE(tags.contains(tag)) << tag;
    EXPECT_FALSE(shown.contains(tag)) << tag << " has a golden program";
    EXPECT_NE(text.str().find("[" + tag + "]"), std::string::npos) << tag << " is not in " << file;
  }
}

}  // namespace
