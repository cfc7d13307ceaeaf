// Runs as a user with CAP_BPF and CAP_PERFMON only.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/e2e/e2e_support.h"
#include "tests/e2e/piped.h"

namespace dscope::e2e {
namespace {

Outcome as_nobody_with(const std::string& capabilities, std::vector<std::string> arguments) {
  std::vector<std::string> command{"setpriv",
                                   "--reuid=65534",
                                   "--regid=65534",
                                   "--clear-groups",
                                   "--inh-caps=-all," + capabilities,
                                   "--ambient-caps=-all," + capabilities,
                                   "--bounding-set=-all," + capabilities,
                                   "--",
                                   DSCOPE_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

class Privileges : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_UNLESS_TRACING();
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to become nobody";
    if (with_two({"--version"}).status != 0) GTEST_SKIP() << "nobody may not run " DSCOPE_PROGRAM;
  }

  static Outcome with_two(std::vector<std::string> arguments) {
    return as_nobody_with("+bpf,+perfmon", std::move(arguments));
  }
};

TEST_F(Privileges, SystemCallsAreTraced) {
  Outcome outcome = with_two(
      {"-qn", "syscall::getppid:entry /pid == $target/ { @ = count(); }", "-c", DSCOPE_TRIGGERS "/functions 1"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.status, 0);
}

TEST_F(Privileges, SamplesAreTaken) {
  Outcome outcome = with_two({"-qn", "profile-997 { printf(\"sampled\\n\"); exit(0); }"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.find("sampled\n"), 0U) << outcome.out;
}

TEST_F(Privileges, FunctionsOfOwnProcessesAreTraced) {
  Outcome outcome =
      with_two({"-qn", "pid$target:a.out:main:entry { @ = count(); }", "-c", DSCOPE_TRIGGERS "/functions 1"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "\n                1\n");
}

TEST_F(Privileges, ProcessesOfOthersAreRefused) {
  Piped target({DSCOPE_TRIGGERS "/jits"});
  Outcome outcome = with_two({"-qn", "pid$target:a.out:main:entry", "-p", std::to_string(target.pid())});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("cannot be traced: Permission denied\n"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("hint: run dscope as root or with CAP_SYS_PTRACE"), std::string::npos) << outcome.err;
  ::unlink(("/tmp/perf-" + std::to_string(target.pid()) + ".map").c_str());
}

// The names of tracepoints with fields are in tracefs, which only root may open.
TEST_F(Privileges, TracepointsNeedTracefs) {
  Outcome outcome = with_two({"-qn", "sdt:sched::sched_switch { exit(0); }"});
  EXPECT_EQ(outcome.status, 1);
  // The reason is its mode, or that it is mounted where only root may look.
  EXPECT_NE(outcome.err.find("the subsystems of tracepoints are unknown: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("tracefs "), std::string::npos) << outcome.err;
  outcome = with_two({"-qn", "rawtp:::sched_switch { printf(\"switched\\n\"); exit(0); }"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.find("switched\n"), 0U) << outcome.out;
}

TEST_F(Privileges, OneOfTwoCapabilitiesIsNotEnough) {
  Outcome outcome = as_nobody_with("+bpf", {"-qn", "BEGIN { exit(0); }"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("this process has CAP_BPF but lacks CAP_PERFMON"), std::string::npos) << outcome.err;
  outcome = as_nobody_with("+perfmon", {"-qn", "BEGIN { exit(0); }"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("this process has CAP_PERFMON but lacks CAP_BPF"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
