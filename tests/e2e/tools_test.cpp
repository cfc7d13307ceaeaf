// Runs every script of tools/ on a matching workload: it succeeds without drops or faults, its title is the one on its
// manual page, and its output contains the workload.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

namespace fs = std::filesystem;

struct Tool {
  const char* name;
  std::vector<std::string> operands;
  const char* command;   // %F: a file to write; %T: the folder of the triggers
  const char* expected;  // regular expression that the output must contain
};

void PrintTo(const Tool& tool, std::ostream* out) { *out << tool.name; }

const Tool tools[] = {
    {"cpudist", {}, "dd if=/dev/zero of=/dev/null bs=64k count=2000", "dd, us\n +value .*count"},
    {"execsnoop", {}, "env true", "[0-9]+ +[0-9]+ true\n"},
    {"exitsnoop", {}, "timeout 0.05 sleep 5", "sleep +[0-9]+ signal SIGTERM\n"},
    {"filetop", {"dd"}, "dd if=/dev/zero of=%F bs=4k count=10", "write +[^ ]+ +40960 +10\n"},
    {"hotkernel", {}, "dd if=/dev/zero of=/dev/null bs=1M count=3000", "[1-9][0-9]* samples on all CPUs"},
    {"hotuser", {}, "/usr/bin/python3 -c pass", "FUNCTION +SAMPLES\n[^ ]+ +[1-9]"},
    {"iobyfile", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", " W .*[0-9]+\n"},
    {"iolatency", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", "write, us\n +value"},
    {"iosnoop", {}, "dd if=/dev/zero of=%F bs=64k count=4 conv=fsync", " W +[0-9]+ +[0-9]+ [^ ]*[.]written\n"},
    {"killsnoop", {"10"}, "timeout -s USR1 0.05 sleep 5", "timeout +SIGUSR1 +[0-9]+ sleep\n"},
    {"mallocstat", {}, "ls /", "bytes requested by malloc\\(\\)"},
    {"offcpu", {}, "sleep 0.02", "nanosleep"},
    {"openfiles", {"cat"}, "cat /dev/null", "cat +0 +[rw]+ +[0-9]+ [^ ]+\n"},
    {"opensnoop", {"cat"}, "cat /etc/hostname", "cat +[0-9] +0 +/etc/hostname\n"},
    {"pagefaults", {}, "ls /", "[1-9][0-9]* page faults\n"},
    {"profile", {"dd"}, "dd if=/dev/zero of=/dev/null bs=1M count=6000", "  dd *\n"},
    {"pycalls", {}, "/usr/bin/python3 -c pass", "[1-9][0-9]* calls\n"},
    {"runqlat", {"sleep"}, "sleep 0.02", "microseconds until it ran"},
    {"rwtop", {}, "dd if=/dev/zero of=/dev/null bs=64k count=1000", "dd +[0-9]+ +[0-9]+ +64000\n"},
    {"slowcalls", {"20", "sleep"}, "sleep 0.05", "sleep +[a-z_]*nanosleep +[0-9]+ +0\n"},
    {"syscount", {}, "cat /etc/hostname", "read +[1-9][0-9]* +0 +[0-9]+ +[0-9]+\n"},
    {"syserrors", {"cat"}, "cat /no/such/file", "cat +openat +ENOENT +[1-9]"},
    {"tcpconnect", {}, "%T/sockets tcp", "connect +127.77.7.8 +[0-9]+ -> 127.77.7.7 "},
    {"tcpstat", {}, "%T/sockets tcp", "127.77.7.8 +[0-9]+ +2000 +10\n"},
    {"tcpstates", {}, "%T/sockets tcp", "state-syn-sent +state-established"},
    {"wakeups", {}, "timeout 0.05 sleep 5", "WAKER +WOKEN +COUNT\n[^ ]+ +[^ ]+ +[1-9]"},
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

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
  const fs::path folder = fs::path(DSCOPE_SOURCE_DIR) / "tools";
  const fs::path output =
      fs::path(testing::TempDir()) / (std::string("dscope_tools_") + tool.name + std::to_string(getpid()));
  const fs::path written = fs::path(DSCOPE_TRIGGERS) / (std::string(tool.name) + ".written");
  std::string command = replaced(replaced(tool.command, "%F", written), "%T", DSCOPE_TRIGGERS);
  std::vector<std::string> arguments{"-o", output, "-s", folder / (std::string(tool.name) + ".d"), "-c", command};
  arguments.insert(arguments.end(), tool.operands.begin(), tool.operands.end());

  fs::remove(output);
  Outcome outcome = dscope(arguments);
  fs::remove(written);
  std::string text = text_of(output);
  fs::remove(output);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("dscope:"), std::string::npos) << outcome.err;
  EXPECT_TRUE(std::regex_search(text, std::regex(tool.expected))) << text;

  std::string example = text_of(folder / "examples" / (std::string(tool.name) + ".txt"));
  ASSERT_FALSE(example.empty());
  std::string title = title_in(example.substr(example.find('\n')));
  if (is_title(title)) {
    EXPECT_EQ(title_in(text), title);
  }
}

INSTANTIATE_TEST_SUITE_P(E2e, Tools, testing::ValuesIn(tools),
                         [](const auto& tool) { return std::string(tool.param.name); });

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Every line has as many columns as the header of its table.
TEST(ToolFormats, CsvIsATable) {
  SKIP_UNLESS_TRACING();
  const std::string tools_folder = DSCOPE_SOURCE_DIR "/tools/";
  Outcome rows = dscope({"--format=csv", "-s", tools_folder + "opensnoop.d", "-c", "cat /dev/null", "cat"});
  std::vector<std::string> lines = lines_of(rows.out);
  ASSERT_GT(lines.size(), 1U) << rows.err;
  EXPECT_EQ(lines.front(), "PID,PROGRAM,FD,ERR,PATH");
  EXPECT_TRUE(std::regex_search(rows.out, std::regex("\n[0-9]+,cat,[0-9]+,0,/dev/null\n"))) << rows.out;
  Outcome calls = dscope({"--format=csv", "-s", tools_folder + "syscount.d", "-c", "cat /dev/null"});
  lines = lines_of(calls.out);
  ASSERT_GT(lines.size(), 1U) << calls.err;
  EXPECT_EQ(lines.front(), "CALL,COUNT,FAILED,TOTAL(us),LONGEST(us)");
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 4) << line;
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
  const std::regex cut("\n( *)trunc\\(@[a-z]*, [0-9]+\\);");
  for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "tools")) {
    if (entry.path().extension() != ".d") continue;
    std::string script = text_of(entry.path());
    for (auto match = std::sregex_iterator(script.begin(), script.end(), cut); match != std::sregex_iterator();
         ++match) {
      EXPECT_TRUE(match->prefix().str().ends_with("if ($$format != \"folded\")")) << entry.path() << match->str();
    }
  }
}

// The table above must contain every script.
TEST(ToolsFolder, HasATestForEveryScript) {
  for (const auto& entry : fs::directory_iterator(fs::path(DSCOPE_SOURCE_DIR) / "tools")) {
    if (entry.path().extension() != ".d") continue;
    bool is_tested = std::any_of(std::begin(tools), std::end(tools),
                                 [&](const Tool& tool) { return entry.path().stem() == tool.name; });
    EXPECT_TRUE(is_tested) << entry.path();
  }
}

}  // namespace
}  // namespace dscope::e2e
