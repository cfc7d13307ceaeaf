// Names of containers: in rows, keys and comparisons, of cgroups that exist before tracing and of new ones.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/e2e/e2e_support.h"

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

class Containers : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_UNLESS_TRACING();
    mount_ = cgroup_mount();
    group_ = mount_ + "/docker-" + std::string(56, 'e') + id_suffix() + ".scope";
    if (::geteuid() != 0 || mount_.empty()) GTEST_SKIP() << "needs root and the unified hierarchy of cgroups";
  }
  void TearDown() override {
    if (!group_.empty()) ::rmdir(group_.c_str());
  }

  // 8 digits that differ between test processes.
  static std::string id_suffix() {
    std::string digits = std::to_string(::getpid() + 100'000'000);
    return digits.substr(digits.size() - 8);
  }
  // The program of a shell that enters the group, then executes `true`.
  std::string enter() const { return "echo $$ > " + group_ + "/cgroup.procs && exec true"; }

  std::string mount_, group_;
  const std::string program_ =
      "syscall::execve:return /execname == \"true\"/ { printf(\"<%s|%s>\", container, pod); @[container] = count(); }"
      "syscall::execve:return /execname == \"true\" && container == \"eeeeeeeeeeee\"/ { printf(\" compared\"); }";
};

TEST_F(Containers, GroupsThatExistHaveNames) {
  ASSERT_EQ(::mkdir(group_.c_str(), 0755), 0);
  Outcome outcome = dscope({"-qn", program_, "--", "sh", "-c", enter()});
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("<eeeeeeeeeeee|> compared"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\n  eeeeeeeeeeee"), std::string::npos) << outcome.out;
}

// The group of a process that has ended is busy for a moment.
TEST_F(Containers, NewGroupsHaveNamesAfterTheyHaveGone) {
  const std::string remove = "i=0; until rmdir " + group_ + " 2> /dev/null || [ $((i += 1)) -gt 5000 ]; do :; done";
  Outcome outcome = dscope({"-qn", "syscall::execve:return /execname == \"true\"/ { @[container] = count(); }", "--",
                            "sh", "-c", "mkdir " + group_ + " && sh -c '" + enter() + "'; " + remove});
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("\n  eeeeeeeeeeee"), std::string::npos) << outcome.out;
}

TEST_F(Containers, StateFilesNameThem) {
  std::string root = testing::TempDir() + "container-root-" + id_suffix();
  std::string id = group_.substr(group_.rfind('-') + 1, 64);
  Outcome made = run({"sh", "-c",
                      "mkdir -p " + root + "/var/lib/docker/containers/" + id + " " + group_ + " && echo '" +
                          R"({"Name": "/web", "Config": {"Image": "nginx:1"}})" + "' > " + root +
                          "/var/lib/docker/containers/" + id + "/config.v2.json"});
  ASSERT_EQ(made.status, 0) << made.err;
  Outcome outcome = dscope({"-qn", "syscall::execve:return /execname == \"true\"/ { @[container, image] = count(); }",
                            "--", "sh", "-c", enter()},
                           {"DSCOPE_CONTAINER_ROOT=" + root});
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("  web "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("  nginx:1 "), std::string::npos) << outcome.out;
  run({"rm", "-r", root});
}

TEST(ClauseBudget, DetachesAndAttachesAgain) {
  SKIP_UNLESS_TRACING();
  // A single firing in a window exceeds the budget of 20 ns.
  Outcome outcome = dscope({"-qn", "syscall:::entry { @ = count(); }", "-xcpubudget=0.0001%", "-xcpubudgetwindow=20ms",
                            "-xduration=1500ms"});
  EXPECT_NE(outcome.err.find("is detached for 0.2 s: it used "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("is attached again"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
