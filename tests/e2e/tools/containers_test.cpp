// Options -C and -K of tools: in a control group that looks like that of a container, which the test makes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/e2e/tools/tool_runs.h"

namespace dscope::e2e {
namespace {

// Where the unified hierarchy is mounted; "" if it is not.
std::string cgroup_mount() {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    if (line.find(" - cgroup2 ") == std::string::npos) continue;
    std::istringstream fields(line);
    std::string number, parent, device, root, directory;
    fields >> number >> parent >> device >> root >> directory;
    return directory;
  }
  return {};
}

// The group of this process in the unified hierarchy.
std::string own_group() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);)
    if (line.starts_with("0::")) return line.substr(3);
  return "/";
}

bool enter(const std::string& group) {
  std::ofstream members(group + "/cgroup.procs");
  members << ::getpid() << std::flush;
  return members.good();
}

// A container without a name is called by the first 12 digits of its id.
constexpr const char* container = "cccccccccccc";

// Runs in the container.
class ToolsInContainers : public testing::TestWithParam<Tool> {
 protected:
  void SetUp() override {
    SKIP_UNLESS_TRACING();
    static int groups = 0;
    std::string mount = cgroup_mount(), digits = std::to_string(::getpid() * 100 + ++groups + 1'000'000'000);
    if (::geteuid() != 0 || mount.empty()) GTEST_SKIP() << "needs root and the unified hierarchy of cgroups";
    old_group_ = mount + own_group();
    group_ = mount + "/docker-" + std::string(56, 'c') + digits.substr(digits.size() - 8) + ".scope";
    ASSERT_EQ(::mkdir(group_.c_str(), 0755), 0);
    ASSERT_TRUE(enter(group_));
  }
  void TearDown() override {
    if (group_.empty()) return;
    enter(old_group_);
    // The group of a process that has ended is busy for a moment.
    for (int tries = 0; ::rmdir(group_.c_str()) != 0 && errno == EBUSY && tries < 5000; ++tries) ::usleep(1000);
  }

 private:
  std::string group_, old_group_;
};

bool declares(const Tool& tool, const std::string& letter) {
  return std::regex_search(text_of(tool_script(tool.name)), std::regex("\n#pragma D arg[^\"\n]* -" + letter + "\\b"));
}

std::vector<Tool> tools_with(const std::string& letter) {
  std::vector<Tool> tools = all_tools();
  std::erase_if(tools, [&](const Tool& tool) { return !declares(tool, letter); });
  return tools;
}

using ToolsOfAContainer = ToolsInContainers;
TEST_P(ToolsOfAContainer, ReportItsWorkload) {
  const Tool& tool = GetParam();
  Outcome outcome = run_tool(tool, {"-C", container});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  int rows = matches(outcome.out, tool.expected);
  // Packets that arrive belong to no container.
  int expected = std::string(tool.name) == "udpsnoop" ? tool.count / 2 : tool.count;
  if (expected == 0) EXPECT_GT(rows, 0) << outcome.out << outcome.err;
  else EXPECT_EQ(rows, expected) << outcome.out << outcome.err;
}

TEST_P(ToolsInContainers, NameTheContainer) {
  Outcome outcome = run_tool(GetParam(), {"-K"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  // A load that causes no event shows the title only.
  const char* expected = std::string(GetParam().command) == "true" ? "CONTAINER" : container;
  EXPECT_NE(outcome.out.find(expected), std::string::npos) << outcome.out << outcome.err;
}

std::string test_name(const testing::TestParamInfo<Tool>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(E2e, ToolsOfAContainer, testing::ValuesIn(tools_with("C")), test_name);
INSTANTIATE_TEST_SUITE_P(E2e, ToolsInContainers, testing::ValuesIn(tools_with("K")), test_name);

TEST(ToolOptions, ContainersExcludeOtherProcesses) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run_tool(tool_named("opensnoop"), {"-C", "no-such-container"});
  EXPECT_EQ(matches(outcome.out, tool_named("opensnoop").expected), 0) << outcome.out;
}

TEST(ToolsFolder, OffersContainersWhereItOffersNames) {
  for (const Tool& tool : all_tools()) EXPECT_TRUE(!declares(tool, "n") || declares(tool, "C")) << tool.name;
}

}  // namespace
}  // namespace dscope::e2e
