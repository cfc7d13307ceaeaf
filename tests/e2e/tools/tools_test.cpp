// Runs every script of tools/ on a matching workload: it succeeds without drops or faults, its title is the one on its
// manual page, and its output contains the workload.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/e2e/tools/tool_runs.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

// The first nonempty line of an example's output. The line before is the command.
std::string title_in(std::string text) {
  size_t start = text.find_first_not_of('\n');
  return start == std::string::npos ? "" : text.substr(start, text.find('\n', start) - start);
}

// A title has column names in capitals. Rows differ from the example's rows and are not compared.
bool is_title(const std::string& line) { return std::regex_search(line, std::regex("[A-Z]{3,}|Ctrl-C")); }

class Tools : public testing::TestWithParam<Tool> {};

TEST_P(Tools, ReportTheWorkload) {
  SKIP_UNLESS_TRACING();
  const Tool& tool = GetParam();
  Outcome outcome = run_tool(tool);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("dscope:"), std::string::npos) << outcome.err;
  int rows = matches(outcome.out, tool.expected);
  if (tool.count == 0) EXPECT_GT(rows, 0) << outcome.out;
  else EXPECT_EQ(rows, tool.count) << outcome.out;

  std::string example = text_of(DSCOPE_SOURCE_DIR "/tools/examples/" + std::string(tool.name) + ".txt");
  ASSERT_FALSE(example.empty());
  std::string title = title_in(example.substr(example.find('\n')));
  if (is_title(title)) {
    EXPECT_EQ(title_in(outcome.out), title);
  }
}

INSTANTIATE_TEST_SUITE_P(E2e, Tools, testing::ValuesIn(all_tools()),
                         [](const auto& tool) { return std::string(tool.param.name); });

// Every line has as many columns as the header of its table.
TEST(ToolFormats, CsvIsATable) {
  SKIP_UNLESS_TRACING();
  const std::string tools_folder = DSCOPE_SOURCE_DIR "/tools/";
  Outcome rows = dscope({"--format=csv", "-s", tools_folder + "opensnoop.d", "-n", "cat", "-c", "cat /dev/null"});
  std::vector<std::string> lines = lines_of(rows.out);
  ASSERT_GT(lines.size(), 1U) << rows.err;
  EXPECT_EQ(lines.front(), "PID,PROGRAM,FD,ERR,PATH");
  EXPECT_TRUE(std::regex_search(rows.out, std::regex("\n[0-9]+,cat,[0-9]+,0,/dev/null\n"))) << rows.out;
  Outcome calls = dscope({"--format=csv", "-s", tools_folder + "syscount.d", "-c", "cat /dev/null"});
  lines = lines_of(calls.out);
  ASSERT_GT(lines.size(), 1U) << calls.err;
  EXPECT_EQ(lines.front(), "CALL,COUNT,FAILED,TOTAL(us),P95,P99,LONGEST(us)");
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 6) << line;
}

// Flame graph programs read lines that end in a blank and a count. std::regex would recurse over the whole line, and
// deep stacks of C++ programs make long ones.
bool is_folded(const std::string& line) {
  size_t blank = line.rfind(' ');
  if (line.starts_with(';') || blank == std::string::npos || blank + 1 == line.size()) return false;
  return line.find_first_not_of("0123456789", blank + 1) == std::string::npos;
}

TEST(ToolFormats, FoldedStacksHaveUserFramesFirst) {
  SKIP_UNLESS_TRACING();
  const std::pair<const char*, const char*> runs[] = {{"offcpu.d", "sleep 0.05"},
                                                      {"profile.d", "dd if=/dev/zero of=/dev/null bs=1M count=3000"}};
  for (auto [name, command] : runs) {
    Outcome outcome = dscope({"--format=folded", "-s", std::string(DSCOPE_SOURCE_DIR "/tools/") + name, "-c", command});
    std::vector<std::string> lines = lines_of(outcome.out);
    EXPECT_FALSE(lines.empty()) << outcome.err;
    for (const std::string& line : lines) {
      EXPECT_TRUE(is_folded(line)) << line;
      size_t kernel = line.find(";vmlinux`"), user = line.rfind(";libc.so.6`");
      if (kernel != std::string::npos && user != std::string::npos) {
        EXPECT_LT(user, kernel) << line;
      }
    }
  }
}

// A flame graph of the most frequent stacks only would be wrong.
TEST(ToolFormats, FoldedOutputIsNotTruncated) {
  const std::regex cut("\n( *)trunc\\(@[a-z]*, [$a-z0-9]+\\);");
  for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "tools")) {
    if (entry.path().extension() != ".d") continue;
    std::string script = text_of(entry.path());
    for (auto match = std::sregex_iterator(script.begin(), script.end(), cut); match != std::sregex_iterator();
         ++match) {
      EXPECT_TRUE(match->prefix().str().ends_with("if ($$format != \"folded\")")) << entry.path() << match->str();
    }
  }
}

TEST(ToolOptions, HelpNeedsNoPrivileges) {
  Outcome help = dscope({"-s", tool_script("opensnoop"), "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(help.out.starts_with("Which files do programs open, and with what result?\n")) << help.out;
  EXPECT_NE(help.out.find("  -n, --name NAME "), std::string::npos) << help.out;
}

TEST(ToolOptions, MistakesAreExplained) {
  Outcome outcome = dscope({"-s", tool_script("slowcalls"), "--min", "soon"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("invalid value 'soon' of --min: expected a time"), std::string::npos) << outcome.err;
}

TEST(ToolOptions, ToolsForFunctionsAskForTheirNames) {
  SKIP_UNLESS_TRACING();
  for (const char* tool : {"argdist", "funccount", "funclatency", "stackcount"}) {
    Outcome outcome = dscope({"-s", tool_script(tool)});
    EXPECT_EQ(outcome.status, 2) << tool << outcome.err;
    EXPECT_NE(outcome.out.find("name what to trace"), std::string::npos) << tool << outcome.out << outcome.err;
  }
}

TEST(ToolOptions, TimesAreAColumnIfWanted) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"--format=csv", "-s", tool_script("opensnoop"), "-Tn", "cat", "-c", "cat /dev/null"});
  EXPECT_EQ(lines_of(outcome.out).at(0), "TIME,PID,PROGRAM,FD,ERR,PATH") << outcome.err;
}

TEST(ToolOptions, DurationEndsTheRun) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-s", tool_script("exitsnoop"), "-d", "1ms"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("AGE(ms)"), std::string::npos) << outcome.out;
}

// A joint printa() has the rows that trunc() kept in its first aggregation.
TEST(ToolOptions, TopLimitsTheRows) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-s", tool_script("syscount"), "-t", "1", "-c", "cat /dev/null"});
  std::vector<std::string> lines = lines_of(outcome.out);
  auto title = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("CALL "); });
  ASSERT_NE(title, lines.end()) << outcome.out << outcome.err;
  auto rows = std::count_if(title + 1, lines.end(), [](const std::string& line) { return !line.empty(); });
  EXPECT_EQ(rows, 1) << outcome.out;
}

// The table above must contain every script.
TEST(ToolsFolder, HasATestForEveryScript) {
  const std::vector<Tool> tools = all_tools();
  for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "tools")) {
    if (entry.path().extension() != ".d") continue;
    bool is_tested = std::ranges::any_of(tools, [&](const Tool& tool) { return entry.path().stem() == tool.name; });
    EXPECT_TRUE(is_tested) << entry.path();
  }
}

}  // namespace
}  // namespace dscope::e2e
