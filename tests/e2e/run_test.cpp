// Whole runs: exit statuses, signals, broken outputs, targets, modes without privileges.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

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
      {"-qn", "BEGIN { @ = count(); } tick-1ms { printf(\"ready\\n\"); } END { printf(\"end\\n\"); }"}, "ready",
      SIGINT);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("end\n"), std::string::npos);
  EXPECT_NE(outcome.out.find("                1\n"), std::string::npos) << outcome.out;
}

TEST(Run, TerminateIsLikeInterrupt) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope_with_signal({"-qn", "tick-1ms { printf(\"ready\\n\"); } END { printf(\"end\\n\"); }"}, "ready", SIGTERM);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("end\n"), std::string::npos);
}

TEST(Run, ClosedPipeEndsTheRun) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      run({"sh", "-c", std::string(DSCOPE_PROGRAM) + " -qn 'tick-1ms { printf(\"line\\n\"); }' | head -3"});
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
  Outcome outcome =
      dscope({"-q", "-c", trigger("getppid 1000"), "-n", "syscall::getppid:entry /pid == $target/ { @ = count(); }"});
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
  Outcome outcome = dscope_with_signal(
      {"-qn", "syscall:::entry { @[probefunc] = count(); } tick-1ms { printf(\"ready\\n\"); }"}, "ready", SIGINT);
  EXPECT_EQ(outcome.status, 0);
}

TEST(Run, DestructiveActionsNeedPermission) {
  Outcome outcome = dscope({"-n", "BEGIN { breakpoint(); }"});
  EXPECT_EQ(outcome.status, 1);
}

TEST(Run, ScriptStartsByItsFirstLine) {
  SKIP_UNLESS_TRACING();
  std::string script = "/tmp/dscope_shebang_" + std::to_string(getpid()) + ".d";
  FILE* file = fopen(script.c_str(), "w");
  ASSERT_NE(file, nullptr);
  fputs("#!/usr/bin/env -S dscope -s\n#pragma D option quiet\nBEGIN { printf(\"%s|%s\\n\", $$1, $$2); exit(0); }\n",
        file);
  fclose(file);
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  std::string path = "PATH=" + std::filesystem::path(DSCOPE_PROGRAM).parent_path().string() + ":" + getenv("PATH");
  Outcome outcome = run({script, "one", "two words"}, {path});
  std::filesystem::remove(script);
  EXPECT_EQ(outcome.out, "one|two words\n\n") << outcome.err;
}

// As nobody: one sentence that names the capabilities for tracing; what needs none still works.
TEST(Run, WithoutPrivileges) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become nobody";
  auto as_nobody = [](std::vector<std::string> arguments) {
    std::vector<std::string> command{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", DSCOPE_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command);
  };
  if (as_nobody({"--version"}).status != 0) GTEST_SKIP() << "nobody may not run " DSCOPE_PROGRAM;
  Outcome outcome = as_nobody({"-qn", "BEGIN { exit(0); }"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("CAP_BPF"), std::string::npos) << outcome.err;
  EXPECT_EQ(as_nobody({"-e", "-n", "syscall:::entry { @[execname] = count(); }"}).status, 0);
  EXPECT_EQ(as_nobody({"--dry-run", "-n", "syscall:::entry { @[execname] = count(); }"}).status, 0);
  EXPECT_EQ(as_nobody({"--help"}).status, 0);
}

TEST(Run, VerboseReportsStability) {
  Outcome outcome = dscope({"-ev", "-n", "syscall::read:entry { trace(curthread->pid); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nStability attributes for description syscall::read:entry :\n"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("\tMinimum Statement Attributes\n\t\tIdentifier Names: Private\n"), std::string::npos);
}

// Sizes that hold not even one record, element or variable.
TEST(Run, TooSmallSpacesAreRefused) {
  for (const char* option : {"bufsize=16", "aggsize=4", "dynvarsize=4"}) {
    Outcome outcome = dscope({"-x", option, "-n", "BEGIN { trace(1); @[pid] = count(); a[1] = 1; exit(0); }"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("could not enable tracing: Enabling exceeds size of buffer"), std::string::npos)
        << option << ": " << outcome.err;
  }
}

// Many new keys at once are all kept.
TEST(Run, BurstOfNewKeysIsKept) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope(
      {"-q", "-c", trigger("write 20000"), "-n", "syscall::write:entry /pid == $target/ { @[arg2] = count(); }"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 20001);
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
