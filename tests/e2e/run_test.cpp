// Whole runs: exit statuses, signals, broken outputs, targets, modes without privileges.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "e2e_support.h"
#include "support/format.h"
#include "tests/support/nested_programs.h"

namespace dscope::e2e {
namespace {

std::string trigger(const std::string& arguments) { return std::string(DSCOPE_TRIGGERS "/calls ") + arguments; }

TEST(Run, ExitStatusComesFromExit) {
  SKIP_UNLESS_TRACING();
  EXPECT_EQ(dscope({"-qn", "BEGIN { exit(3); }"}).status, 3);
  EXPECT_EQ(dscope({"-qn", "BEGIN { exit(3); } END { exit(4); }"}).status, 4);
}

TEST(Run, ScriptErrorPrintsOneMessage) {
  Outcome outcome = dscope({"-xerrtags", "-xdiagnostics=classic", "-n", "BEGIN { trace(nosuch); }"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("[D_IDENT_UNDEF]"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(Run, NoArgumentsPrintsUsage) { EXPECT_EQ(dscope({}).status, 2); }

TEST(Run, CompileOnlyNeedsNoPrivileges) {
  Outcome outcome = dscope({"-e", "-n", "syscall:::entry { @[execname] = count(); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(Run, DryRunPrintsSummaryPlanAndIr) {
  Outcome outcome = dscope({"--dry-run", "-n", "syscall::read:entry { @[execname] = count(); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("syscall:vmlinux:read:entry"), std::string::npos) << outcome.out;
  size_t summary = outcome.out.find("raw tracepoint sys_enter, 80 ns");
  size_t plan = outcome.out.find("program prog_0 for syscall:vmlinux:read:entry");
  size_t ir = outcome.out.find("define i32 @prog_0");
  EXPECT_LT(summary, plan) << outcome.out;
  EXPECT_LT(plan, ir) << outcome.out;
  EXPECT_NE(ir, std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("; D:1  @[execname] = count()", ir), std::string::npos) << outcome.out;
}

TEST(Run, ListsProbes) {
  Outcome outcome = dscope({"-l", "-n", "syscall::read:entry"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("   ID   PROVIDER            MODULE                          FUNCTION NAME\n"),
            std::string::npos);
  EXPECT_NE(outcome.out.find("    syscall           vmlinux                              read entry\n"),
            std::string::npos);
}

TEST(Run, NamesTheFirstClauseOverTheLimit) {
  SKIP_UNLESS_TRACING();
  std::string script;
  for (int i = 0; i < 4100; ++i) script += "BEGIN { n++; }\n";
  Outcome outcome = dscope({"-q", "-n", script});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("4100 clauses on dtrace:::BEGIN"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("program:4097: first clause over the limit"), std::string::npos) << outcome.err;
}

// 400 clauses on one system call and on others: both kinds of functions, for lists of clauses and for many clauses on
// one probe.
TEST(Run, HundredsOfClausesAllRun) {
  SKIP_UNLESS_TRACING();
  for (bool is_one_probe : {true, false}) {
    std::string script;
    int counting = 0;
    for (int i = 0; i < 400; ++i) {
      bool is_counted = is_one_probe || i % 50 == 0;
      counting += is_counted;
      static const char* const others[] = {"read", "write", "close", "openat", "mmap", "munmap", "brk", "ioctl"};
      script += fmt::format(
          "syscall::{}:entry /pid == $target && execname != \"x{}\"/ {{ this->n = {}; self->t = timestamp;"
          " @by_name[execname, this->n] = count(); @runs = count(); }}\n",
          is_counted ? "getppid" : others[i % 8], i, i);
      if (i % 40 == 0) script += "syscall::getppid:return /self->t && pid == $target/ { @waits = quantize(1); }\n";
    }
    script += "END { printa(\"%@d runs\\n\", @runs); printa(\"%@d\\n\", @waits); trunc(@by_name); }";
    script += "syscall::exit_group:entry /pid == $target/ { printf(\"gone\\n\"); }";
    Outcome outcome = dscope({"-q", "-n", script, "-c", trigger("getppid 7")});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(outcome.out, found, std::regex("([0-9]+) runs"))) << outcome.out;
    // Other system calls of the trigger are counted too if they have clauses.
    EXPECT_GE(std::stoi(found[1]), 7 * counting);
    if (is_one_probe) {
      EXPECT_EQ(std::stoi(found[1]), 7 * counting);
    }
    EXPECT_NE(outcome.out.find("gone"), std::string::npos);
  }
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

// Hides kernel addresses as kptr_restrict does: every address in /proc/kallsyms is zero.
TEST(Run, HiddenSymbolsAreReportedOnce) {
  SKIP_UNLESS_TRACING();
  if (run({"unshare", "-m", "true"}).status != 0) GTEST_SKIP() << "no mount namespaces";
  std::string hidden = std::string(DSCOPE_TRIGGERS) + "/hidden_symbols";
  std::ofstream(hidden) << "0000000000000000 T vfs_read\n";
  Outcome outcome = run({"unshare", "-m", "sh", "-c",
                         "mount --bind \"$1\" /proc/kallsyms; exec \"$0\" -qc true -n \"$2\"", DSCOPE_PROGRAM, hidden,
                         "syscall::exit_group:entry /pid == $target/ { stack(1); } "
                         "syscall::exit_group:entry /pid == $target/ { stack(1); exit(0); }"});
  std::filesystem::remove(hidden);
  EXPECT_TRUE(std::regex_search(outcome.out, std::regex("0xf[0-9a-f]{15}\n"))) << outcome.out;
  size_t first = outcome.err.find("the kernel hides the addresses of its symbols");
  ASSERT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("hides", first + 20), std::string::npos) << outcome.err;
}

// Every pass over the ring buffer writes output, and the write is traced: the ring buffer never runs empty.
TEST(Run, EndsWhileItTracesItself) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-n", "BEGIN {} syscall:::entry {} tick-30ms { exit(0); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Run, OtherSignalsAreLikeInterrupt) {
  SKIP_UNLESS_TRACING();
  for (int signal_number : {SIGTERM, SIGHUP, SIGQUIT}) {
    Outcome outcome = dscope_with_signal(
        {"-qn", "BEGIN { @ = count(); printf(\"ready\\n\"); } END { printf(\"end\\n\"); }"}, "ready", signal_number);
    EXPECT_EQ(outcome.status, 0) << signal_number;
    EXPECT_EQ(outcome.out, "ready\n\nend\n\n                1\n") << signal_number;
  }
}

// As with nohup.
TEST(Run, IgnoredHangupDoesNotEndTheRun) {
  SKIP_UNLESS_TRACING();
  signal(SIGHUP, SIG_IGN);
  Outcome outcome =
      dscope_with_signal({"-qn", "BEGIN { printf(\"ready\\n\"); } tick-300ms { exit(3); }"}, "ready", SIGHUP);
  signal(SIGHUP, SIG_DFL);
  EXPECT_EQ(outcome.status, 3);
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

TEST(Run, MissingTargetCommandIsReported) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-c", "/no/such/command", "-n", "BEGIN {}"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("failed to execute /no/such/command: No such file or directory"), std::string::npos)
      << outcome.err;
}

TEST(Run, MissingPidIsReported) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-p", "4194303", "-n", "BEGIN {}"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("No such process"), std::string::npos) << outcome.err;
}

TEST(Run, MacroArgumentsAreExpanded) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-qn", "BEGIN { printf(\"%d %s\\n\", $1, $$2); exit(0); }", "42", "two words"});
  EXPECT_EQ(outcome.out, "42 two words\n\n") << outcome.err;
}

TEST(Run, InterruptedRunEndsCleanly) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope_with_signal(
      {"-qn", "syscall:::entry { @[probefunc] = count(); } tick-1ms { printf(\"ready\\n\"); }"}, "ready", SIGINT);
  EXPECT_EQ(outcome.status, 0);
}

TEST(Run, DestructiveActionsNeedPermission) {
  Outcome outcome = dscope({"-n", "BEGIN { breakpoint(); }"});
  EXPECT_EQ(outcome.status, 1);
}

TEST(Run, ScriptStartsByItsInterpreterLine) {
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

// Packets go to the first tshark in PATH: here a script that prints its input.
TEST(Run, PacketsArePrintedByTshark) {
  SKIP_UNLESS_TRACING();
  std::filesystem::path folder = "/tmp/dscope_tshark_" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "tshark") << "#!/bin/sh\nhead -c 24 >/dev/null\n"
                                      "echo \"$*: $(head -c 94 | tail -c 50)\"\ncat >/dev/null\n";
  std::filesystem::permissions(folder / "tshark", std::filesystem::perms::owner_all);
  const std::string payload = "01234567890123456789012345678901234567890123456789";
  const std::string program = "rawtp:::netif_receive_skb /args[0]->len == 78/ { pcap(args[0], PCAP_IP); exit(0); }";
  const std::vector<std::string> path{"PATH=" + folder.string() + ":" + getenv("PATH")};
  Outcome outcome = dscope({"-wqn", program, "-c", trigger("send " + payload + " 2")}, path);
  Outcome harmless = dscope({"-qn", program, "-c", trigger("send " + payload + " 2")}, path);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(outcome.out, "-l -r -: " + payload + "\n\n") << outcome.err;
  // Without -w, dscope starts no programs as root.
  EXPECT_EQ(harmless.out.find("-l -r -"), std::string::npos) << harmless.out;
  EXPECT_NE(harmless.out.find("4567890123456789"), std::string::npos) << harmless.out;
}

// Run as nobody, dscope prints one sentence that names the missing capabilities. Modes that need none still work.
TEST(Run, MissingPrivilegesAreReported) {
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
  outcome = as_nobody({"--dump=summary", "-n", "pid1:::entry"});
  EXPECT_NE(outcome.err.find("process 1 cannot be traced: Permission denied\n"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("hint: run dscope as root"), std::string::npos) << outcome.err;
}

// A facts file answers on a machine without root as the machine itself does.
TEST(Run, FactsFilesDescribeTheMachine) {
  SKIP_UNLESS_TRACING();
  std::string facts = testing::TempDir() + "dscope_facts_test_" + std::to_string(getpid());
  Outcome saved = dscope({"--save-facts=" + facts});
  ASSERT_EQ(saved.status, 0) << saved.err;
  const std::string program =
      "syscall::openat:entry, sched:::on-cpu, io:::start, sdt:::sched_switch { @[execname, curthread->pid] = count(); "
      "}";
  for (std::string stage : {"--dump=summary,probes,plan,ir", "-lv"}) {
    Outcome live = dscope({stage, "-n", program});
    Outcome elsewhere = run({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", DSCOPE_PROGRAM,
                             "--facts=" + facts, stage, "-n", program});
    EXPECT_EQ(elsewhere.status, 0) << elsewhere.err;
    EXPECT_EQ(elsewhere.out, live.out);
  }
  EXPECT_EQ(dscope({"--facts=" + facts, "-l"}).out, dscope({"-l"}).out);
  std::filesystem::remove(facts);
}

TEST(Run, VerboseReportsStability) {
  Outcome outcome = dscope({"-ev", "-n", "syscall::read:entry { trace(curthread->pid); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nStability attributes for description syscall::read:entry :\n"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("\tMinimum Statement Attributes\n\t\tIdentifier Names: Private\n"), std::string::npos);
  EXPECT_NE(
      outcome.out.find("\t\tDependency Class: Unknown\n\nsyscall::read:entry\n\n\tProbe Description Attributes\n"),
      std::string::npos)
      << outcome.out;
}

TEST(Run, LibrariesKeepTheirDeclaredStability) {
  Outcome outcome = dscope({"-ev", "-n", "BEGIN { trace(curpsinfo->pr_psargs); trace(EPERM); }"});
  EXPECT_NE(
      outcome.out.find("\tMinimum Statement Attributes\n\t\tIdentifier Names: Stable\n\t\tData Semantics:   Stable\n"
                       "\t\tDependency Class: Common\n"),
      std::string::npos)
      << outcome.out;
}

TEST(Run, AminRejectsLowerStability) {
  Outcome refused =
      dscope({"-xerrtags", "-xamin=Evolving/Evolving/Common", "-e", "-n", "syscall:::entry { trace(probefunc); }"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("[D_ATTR_MIN] in action list: "), std::string::npos) << refused.err;
  EXPECT_EQ(dscope({"-xamin=Evolving/Evolving/Common", "-e", "-n", "syscall:::entry { trace(pid); }"}).status, 0);
}

// Sizes too small for a single record, element or variable.
TEST(Run, TooSmallBuffersAreRejected) {
  for (const char* option : {"bufsize=16", "aggsize=4", "dynvarsize=4"}) {
    Outcome outcome = dscope({"-x", option, "-n", "BEGIN { trace(1); @[pid] = count(); a[1] = 1; exit(0); }"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("could not enable tracing: Enabling exceeds size of buffer"), std::string::npos)
        << option << ": " << outcome.err;
  }
}

// No key of a burst of new keys is lost.
TEST(Run, BurstOfNewKeysIsKept) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope(
      {"-q", "-c", trigger("write 20000"), "-n", "syscall::write:entry /pid == $target/ { @[arg2] = count(); }"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 20001);
}

// Four producers at full speed: printed records plus reported drops equal the number of calls.
TEST(Run, EveryDropIsCounted) {
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

// The sixth worked sample of the reference: frames indented by 14 blanks, then the newline at exit.
TEST(Run, StackFramesAreIndented) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-q", "-c", "true", "-n", "syscall::exit_group:entry /pid == $target/ { stack(2); exit(0) }"});
  EXPECT_TRUE(std::regex_match(outcome.out, std::regex("\n( {14}\\w+`[^ ]+\n){2}\n"))) << outcome.out;
}

// No event of the kernel fires BEGIN, END and ERROR.
TEST(Run, BeginEndAndErrorHaveNoKernelStack) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-qn",
                            "BEGIN { printf(\"[%d %p\", stackdepth, caller); stack(); printf(\"]\"); } "
                            "ERROR { printf(\"[%d %p\", stackdepth, caller); stack(); printf(\"]\"); exit(0); } "
                            "END { printf(\"[%d %p\", stackdepth, caller); stack(); printf(\"]\"); } "
                            "BEGIN { trace(*(int *)0); }"});
  EXPECT_EQ(outcome.out, "[0 0\n][0 0\n][0 0\n]\n") << outcome.err;
}

TEST(Run, MaxframesLimitsDepths) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-q", "-x", "maxframes=1", "-c", "true", "-n",
              "syscall::exit_group:entry /pid == $target/ { printf(\"%d %d\", stackdepth, ustackdepth); }"});
  EXPECT_EQ(outcome.out, "1 1\n");
}

// The eighth worked sample: a newline when the signal arrives, one at exit, then the aggregation.
TEST(Run, InterruptPrintsItsNewline) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope_with_signal({"-n", "BEGIN { @a = count(); printf(\"b\"); } END { printf(\"end\"); }"}, ":BEGIN b", SIGINT);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(masked(outcome.out, true),
            "CPU     ID                    FUNCTION:NAME\n"
            "  C      1                           :BEGIN b\n"
            "\n"
            "  C      2                             :END end\n"
            "\n"
            "                1\n");
}

TEST(Run, ListingContinuesAfterUnmatchedDescriptions) {
  Outcome outcome = dscope({"-l", "-n", "nosuch:::", "-n", "BEGIN"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err.find("dscope: failed to match nosuch:::: No probe matches description\n"), 0U);
  EXPECT_NE(outcome.out.find("    1     dtrace                                                     BEGIN\n"),
            std::string::npos);
}

TEST(Run, ProgramsRunInTheOrderOfTheCommandLine) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-n", "BEGIN { x = 1; printf(\"a\"); }", "-n", "BEGIN { x++; printf(\"b\"); }", "-n",
                            "BEGIN { printf(\"%d\\n\", x); exit(0); }"});
  EXPECT_EQ(outcome.out, "ab2\n\n") << outcome.err;
}

TEST(Run, NoticesNameEachProgram) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-n", "BEGIN, BEGIN { }", "-n", "END", "-n", "BEGIN{exit(0)}"});
  EXPECT_EQ(outcome.err,
            "dscope: description 'BEGIN, BEGIN ' matched 2 probes\ndscope: description 'END' matched 1 probe\n"
            "dscope: description 'BEGIN' matched 1 probe\n");
}

TEST(Run, TwoTargetsEndTheRunTogether) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-q", "-c", trigger("getppid 3"), "-c", "sleep 0.2", "-n",
              "syscall::exit_group:entry /execname == \"sleep\" && ppid == $pid/ { @[pid == $target] = count(); } "
              "syscall::getppid:entry /pid == $target/ { @calls = count(); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "\n        0                1\n                3\n");
}

TEST(Run, OutputFileIsAppendedTo) {
  SKIP_UNLESS_TRACING();
  std::string path = std::filesystem::temp_directory_path() / ("dscope-e2e-" + std::to_string(getpid()));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(dscope({"-o", path, "-qn", "BEGIN { printf(\"x\"); exit(0); }"}).out, "");
  EXPECT_EQ(run({"cat", path}).out, "x\nx\n");
  std::filesystem::remove(path);
}

TEST(Run, BadOptionsPrintOneMessage) {
  for (const std::string option : {"nosuch", "strsize=1", "bufsize=4x", "bufpolicy=sideways", "quiet=maybe"}) {
    Outcome outcome = dscope({"-xdiagnostics=classic", "-x", option, "-n", "BEGIN { exit(0); }"});
    EXPECT_EQ(outcome.status, 1) << option;
    EXPECT_EQ(outcome.err.rfind("dscope: failed to set -x ", 0), 0u) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

// Compiles any text. The compiler must answer in time and never crash.
std::string answer(const std::string& text, int& status) {
  std::string path = std::filesystem::temp_directory_path() / ("dscope-e2e-" + std::to_string(getpid()) + ".d");
  std::ofstream(path, std::ios::binary) << text;
  Outcome outcome = dscope({"-e", "-s", path});
  std::filesystem::remove(path);
  status = outcome.status;
  return outcome.err;
}

TEST(Run, HugeAndMalformedScriptsAreHandled) {
  int status = -1;
  EXPECT_EQ(answer("/* " + repeated("x", 1000000) + " */ BEGIN { exit(0); }", status), "");
  EXPECT_EQ(answer("int x; BEGIN { " + repeated("x = x * 3 + 1; ", 8000) + "}", status), "");
  EXPECT_NE(answer("int x; BEGIN { " + repeated("x = x * 3 + 1; ", 60000) + "}", status).find("clause is too large"),
            std::string::npos);
  EXPECT_EQ(answer("BEGIN { s = \"" + repeated("a", 1000000) + "\"; }", status), "");
  EXPECT_EQ(answer(repeated("BEGIN { n++; }\n", 10000), status), "");
  EXPECT_EQ(answer("BEGIN { x = " + repeated("(", 100) + "1" + repeated(")", 100) + "; }", status), "");
  for (const std::string& deep : {"BEGIN { x = " + repeated("(", 100000) + "1" + repeated(")", 100000) + "; }",
                                  "BEGIN { x = 1; y = x" + repeated(" + x", 100000) + "; }",
                                  "BEGIN { " + repeated("if (1) { ", 100000) + repeated("}", 100000) + " }"}) {
    EXPECT_NE(answer(deep, status).find("nested too deeply"), std::string::npos);
    EXPECT_EQ(status, 1);
  }
  std::string garbage;
  for (unsigned seed = 1, i = 0; i < 100000; ++i)
    garbage += static_cast<char>((seed = seed * 1103515245 + 12345) >> 16);
  for (const std::string& text :
       {garbage, "BEGIN { " + garbage + " }", std::string("BEGIN { }\0\0", 11), std::string()}) {
    EXPECT_NE(answer(text, status), "");
    EXPECT_EQ(status, 1);
  }
}

// Writes scripts to files: -C preprocesses only script files.
class PreprocessedRun : public testing::Test {
 protected:
  PreprocessedRun() { std::filesystem::create_directories(folder); }
  ~PreprocessedRun() override { std::filesystem::remove_all(folder); }
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder + name) << text;
    return folder + name;
  }
  std::string folder = testing::TempDir() + "dscope-cpp-" + std::to_string(getpid()) + "/";
};

TEST_F(PreprocessedRun, MissingHeaderPrintsPreprocessorMessageFirst) {
  std::string path = file("x.d", "#include \"nonexistent.h\"\nBEGIN { }\n");
  Outcome outcome = dscope({"-C", "-s", path});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("nonexistent.h"), std::string::npos) << outcome.err;
  std::string last = "dscope: failed to compile script " + path + ": Preprocessor failed to process input program\n";
  EXPECT_TRUE(outcome.err.ends_with(last)) << outcome.err;
}

TEST_F(PreprocessedRun, HeadersAreListed) {
  file("inner.h", "int i;\n");
  file("outer.h", "#include \"inner.h\"\n");
  Outcome outcome = dscope({"-eCH", "-s", file("x.d", "#include \"outer.h\"\nBEGIN { }\n")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find(". " + folder + "outer.h\n.. " + folder + "inner.h\n"), std::string::npos) << outcome.err;
}

TEST_F(PreprocessedRun, DirectoriesAndOptionsReachThePreprocessor) {
  std::filesystem::create_directories(folder + "more");
  file("more/where.h", "#define WHERE \"more\"\n");
  std::string path =
      file("x.d", "#include <where.h>\n#if N != 7 || M != 8\n#error N and M\n#endif\nBEGIN { trace(WHERE); }\n");
  EXPECT_EQ(dscope({"-eC", "-I" + folder + "more", "-DN=7", "-xcppargs=-DM=7 -UM -DM=8", "-s", path}).err, "");
  EXPECT_EQ(dscope({"-e", "-xcpp", "-xincdir=" + folder + "more", "-xdefine=N=7", "-xdefine=M=8", "-s", path}).err, "");
  EXPECT_EQ(
      dscope({"-e", "-xdefine=N=7", "-I", folder + "more", "-s", path}, {"DTRACE_OPT_CPP=", "DTRACE_OPT_CPPARGS=-DM=8"})
          .err,
      "");
  EXPECT_NE(dscope({"-eC", "-s", path}).status, 0);
}

TEST_F(PreprocessedRun, TraditionalPreprocessorPastesTokens) {
  std::string path = file("x.d", "#define PASTE(a, b) a/**/b\nBEGIN { x = PASTE(ti,d); }\n");
  EXPECT_EQ(dscope({"-eC", "-Xs", "-s", path}).err, "");
  EXPECT_EQ(dscope({"-eC", "-Xt", "-s", path}).status, 1);
  Outcome outcome = dscope({"-eC", "-Xq", "-s", path});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("Invalid value for specified option"), std::string::npos) << outcome.err;
}

TEST_F(PreprocessedRun, CommandLineProgramsAreNotPreprocessed) {
  EXPECT_EQ(dscope({"-eC", "-xerrtags", "-n", "#define X 1\nBEGIN { exit(X); }"}).err.find("[D_PRAGCTL_INVAL]") !=
                std::string::npos,
            true);
  EXPECT_EQ(dscope({"-eC", "-n", "BEGIN { exit(0); }"}).status, 0);
}

}  // namespace
}  // namespace dscope::e2e
