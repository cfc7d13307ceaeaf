// Whole runs: exit statuses, signals, broken outputs, targets, modes without privileges.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

std::string trigger(const std::string& arguments) { return std::string(DSCOPE_TRIGGERS "/calls ") + arguments; }

TEST(Run, ExitStatusIsThatOfExit) {
  SKIP_UNLESS_TRACING();
  EXPECT_EQ(dscope({"-qn", "BEGIN { exit(3); }"}).status, 3);
  EXPECT_EQ(dscope({"-qn", "BEGIN { exit(3); } END { exit(4); }"}).status, 4);
}

TEST(Run, MistakeInScriptIsOneMessage) {
  Outcome outcome = dscope({"-xerrtags", "-n", "BEGIN { trace(nosuch); }"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("[D_IDENT_UNDEF]"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(Run, NoArgumentsIsUsage) { EXPECT_EQ(dscope({}).status, 2); }

TEST(Run, CompileOnlyNeedsNothing) {
  Outcome outcome = dscope({"-e", "-n", "syscall:::entry { @[execname] = count(); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(Run, DryRunPrintsPlanAndIr) {
  Outcome outcome = dscope({"--dry-run", "-n", "syscall::read:entry { @[execname] = count(); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("syscall:vmlinux:read:entry"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("define i32 @prog_0"), std::string::npos);
}

TEST(Run, ListsProbes) {
  Outcome outcome = dscope({"-l", "-n", "syscall::read:entry"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("   ID   PROVIDER            MODULE                          FUNCTION NAME\n"),
            std::string::npos);
  EXPECT_NE(outcome.out.find("    syscall           vmlinux                              read entry\n"),
            std::string::npos);
}

TEST(Run, InterruptEndsTheRunAndPrints) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope_with_signal(
      {"-qn", "BEGIN { @ = count(); } tick-1ms { printf(\"ready\\n\"); } END { printf(\"end\\n\"); }"}, "ready", SIGINT);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("end\n"), std::string::npos);
  EXPECT_NE(outcome.out.find("                1\n"), std::string::npos) << outcome.out;
}

TEST(Run, TerminateIsLikeInterrupt) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope_with_signal({"-qn", "tick-1ms { printf(\"ready\\n\"); } END { printf(\"end\\n\"); }"},
                                       "ready", SIGTERM);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("end\n"), std::string::npos);
}

TEST(Run, ClosedPipeEndsTheRun) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = run({"sh", "-c", std::string(DSCOPE_PROGRAM) +
                                         " -qn 'tick-1ms { printf(\"line\\n\"); }' | head -3"});
  EXPECT_EQ(outcome.out, "line\nline\nline\n");
}

TEST(Run, FullDiskIsReported) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-o", "/dev/full", "-qn", "tick-1ms { printf(\"line\\n\"); }"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
}

TEST(Run, TargetEndsTheRun) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-c", trigger("getppid 1000"), "-n",
                            "syscall::getppid:entry /pid == $target/ { @ = count(); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "\n             1000\n");
}

TEST(Run, MissingTargetCommandIsOneSentence) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-c", "/no/such/command", "-n", "BEGIN {}"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("failed to execute /no/such/command: No such file or directory"), std::string::npos)
      << outcome.err;
}

TEST(Run, MissingPidIsOneSentence) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-p", "4194303", "-n", "BEGIN {}"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("No such process"), std::string::npos) << outcome.err;
}

TEST(Run, MacroArguments) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-qn", "BEGIN { printf(\"%d %s\\n\", $1, $$2); exit(0); }", "42", "two words"});
  EXPECT_EQ(outcome.out, "42 two words\n\n") << outcome.err;
}

TEST(Run, NothingStaysAttached) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope_with_signal({"-qn", "syscall:::entry { @[probefunc] = count(); } tick-1ms { printf(\"ready\\n\"); }"},
                                       "ready", SIGINT);
  EXPECT_EQ(outcome.status, 0);
}

TEST(Run, DestructiveActionsNeedPermission) {
  Outcome outcome = dscope({"-n", "BEGIN { breakpoint(); }"});
  EXPECT_EQ(outcome.status, 1);
}

// Four producers as fast as they can: what is printed and what is reported lost add up to what was done.
TEST(Run, EveryLossIsCounted) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-b", "64k", "-x", "switchrate=200ms", "-c", trigger("threads 4 20000"), "-n",
                            "syscall::getppid:entry /pid == $target/ { printf(\"%d %d\\n\", cpu, tid); }"});
  EXPECT_EQ(outcome.status, 0);
  long printed = std::count(outcome.out.begin(), outcome.out.end(), '\n') - 1;  // the newline at exit
  long dropped = 0;
  for (size_t at = 0; (at = outcome.err.find("dscope: ", at)) != std::string::npos; ++at)
    dropped += std::atol(outcome.err.c_str() + at + 8);
  EXPECT_EQ(printed + dropped, 80000) << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
