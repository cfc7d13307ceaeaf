// Runs every tests/e2e/<group>/*.d as `dscope -s` and compares its output with the .out file beside it: stdout, then
// "-- stderr --" and stderr if there is any, then "-- status N --" unless it is 0. Tags in comments of the script:
//   @@options: ...   additional options and operands, split at blanks
//   @@command: ...   run with -c; %T is the folder of the trigger programs
//   @@normal         without _DTRACE_TESTING: prints the header and the CPU and ID columns (masked)
//   @@watches        memory, by hardware breakpoints: expects an error where the hypervisor does not report them
//   @@sort           lines are sorted before they are compared
// DSCOPE_UPDATE_GOLDEN=1 rewrites the .out files.
#include <gtest/gtest.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> scripts() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(DSCOPE_E2E_DIR))
    if (entry.path().extension() == ".d") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The text after `tag` up to the end of its line, without the end of the comment. Sets `has` if the tag exists.
std::string tag_value(const std::string& script, const std::string& tag, bool& has) {
  size_t at = script.find(tag);
  has = at != std::string::npos;
  if (!has) return "";
  std::string value = script.substr(at + tag.size(), script.find('\n', at) - at - tag.size());
  size_t end = value.find("*/");
  if (end != std::string::npos) value.resize(end);
  while (!value.empty() && value.back() == ' ') value.pop_back();
  while (!value.empty() && value.front() == ' ') value.erase(0, 1);
  return value;
}

std::string sorted_lines(const std::string& text) {
  std::stringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  std::string joined;
  for (const std::string& line : lines) joined += line + "\n";
  return joined;
}

std::string without_folders(std::string text) {
  for (const std::string folder : {DSCOPE_E2E_DIR "/", DSCOPE_TRIGGERS "/"})
    for (size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) text.erase(at, folder.size());
  return text;
}

// Whether this process sees the breakpoint at a variable of its own.
bool do_breakpoints_fire() {
  static volatile long watched = 0;
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_BREAKPOINT;
  attributes.bp_type = HW_BREAKPOINT_W;
  attributes.bp_addr = reinterpret_cast<uint64_t>(&watched);
  attributes.bp_len = sizeof watched;
  attributes.exclude_kernel = 1;
  int event = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  watched = 1;
  uint64_t count = 0;
  bool fires = read(event, &count, sizeof count) == sizeof count && count == 1;
  close(event);
  return fires;
}

bool is_32_bit(const std::string& program) {
  std::string content = read_file(program);
  return content.size() > 4 && content[4] == 1;  // ELFCLASS32
}

class Script : public testing::TestWithParam<std::string> {};

TEST_P(Script, PrintsExpectedOutput) {
  SKIP_UNLESS_TRACING();
  std::string text = read_file(GetParam());
  bool has = false, is_normal = false, is_sorted = false, is_watching = false;
  std::vector<std::string> arguments{"-s", GetParam()};
  std::stringstream options(tag_value(text, "@@options:", has));
  for (std::string word; options >> word;) arguments.push_back(word);
  std::string command = tag_value(text, "@@command:", has);
  if (has) {
    for (size_t at; (at = command.find("%T")) != std::string::npos;) command.replace(at, 2, DSCOPE_TRIGGERS);
    std::string program = command.substr(0, command.find(' '));
    if (is_32_bit(program) && !runs_32_bit_program(program)) return;
    arguments.insert(arguments.end(), {"-c", command});
  }
  tag_value(text, "@@normal", is_normal);
  tag_value(text, "@@sort", is_sorted);
  tag_value(text, "@@watches", is_watching);
  std::vector<std::string> environment{"TZ=UTC"};
  if (!is_normal) environment.push_back("_DTRACE_TESTING=1");
  Outcome outcome = dscope(arguments, environment);
  if (is_watching && !do_breakpoints_fire()) {
    EXPECT_NE(outcome.err.find("the hardware breakpoints of this machine do not fire"), std::string::npos)
        << outcome.err;
    return;
  }
  std::string seen = outcome.out;
  if (is_sorted) seen = sorted_lines(seen);
  if (!outcome.err.empty()) seen += "-- stderr --\n" + outcome.err;
  if (outcome.status != 0) seen += "-- status " + std::to_string(outcome.status) + " --\n";
  seen = without_folders(masked(seen, is_normal));
  std::string expected_path = GetParam().substr(0, GetParam().size() - 2) + ".out";
  if (getenv("DSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected_path) << seen;
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(expected_path)) << "no " << expected_path;
  EXPECT_EQ(seen, read_file(expected_path));
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::relative(info.param, DSCOPE_E2E_DIR).string();
  name.resize(name.size() - 2);
  std::replace_if(name.begin(), name.end(), [](char c) { return isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(E2e, Script, testing::ValuesIn(scripts()), test_name);

}  // namespace
}  // namespace dscope::e2e
