// User stacks that the BPF programs unwind by tables. The result must be that of elfutils.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

std::string trigger(const std::string& name) { return DSCOPE_TRIGGERS "/" + name; }

Outcome traced(const std::string& unwinding, const std::string& program, const std::string& command) {
  return dscope({"-q", "-xustackunwind=" + unwinding, "-n", program, "-c", command});
}

void expect_same(const std::string& program, const std::string& command, const std::string& frame) {
  Outcome tables = traced("tables", program, command), copies = traced("dwarf", program, command);
  EXPECT_EQ(tables.status, 0) << tables.err;
  EXPECT_NE(tables.out.find(frame), std::string::npos) << tables.out << tables.err;
  EXPECT_EQ(tables.out, copies.out);
}

TEST(TableUnwinding, FindsTheCallersOfFunctionsWithoutFramePointers) {
  SKIP_UNLESS_TRACING();
  expect_same("pid$target:a.out:leaf:entry, pid$target:a.out:leaf:return { @[ustack()] = count(); }",
              trigger("deep") + " 20", "deep`outer+0x");
}

TEST(TableUnwinding, FindsTheCallersOfSystemCalls) {
  SKIP_UNLESS_TRACING();
  expect_same("syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }", trigger("calls") + " getppid 50",
              "calls`main+0x");
}

TEST(TableUnwinding, FindsTheCallersOfThreadsThatWaited) {
  SKIP_UNLESS_TRACING();
  expect_same(
      "syscall::*nanosleep:entry /pid == $target/ { self->sleeps = 1; }"
      "sched:::on-cpu /self->sleeps/ { @[ustack(8)] = min(1); self->sleeps = 0; }",
      trigger("tasks") + " sleep 20", "tasks`");
}

TEST(TableUnwinding, FindsCallersForVariables) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = traced("tables", "pid$target:a.out:leaf:entry { @[ufunc(ucaller), ustackdepth > 4] = count(); }",
                           trigger("deep") + " 3");
  EXPECT_NE(outcome.out.find("deep`middle"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find(" 1 "), std::string::npos) << outcome.out;
}

TEST(TableUnwinding, SaysHowManyStacksItUnwound) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-qv", "-xustackunwind=tables", "-n",
                            "syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }", "-c",
                            trigger("calls") + " getppid 50"});
  EXPECT_NE(outcome.err.find("unwound 50 stacks by the tables of "), std::string::npos) << outcome.err;
}

// A process that a probe meets for the first time has no tables yet. They come while it goes on.
TEST(TableUnwinding, LoadsTheTablesOfProcessesThatFire) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-xustackunwind=tables", "-xdestructive", "-n",
                            "BEGIN { system(\"" + trigger("calls") + " spin 400; " + trigger("calls") +
                                " getppid 1 &\"); }"
                                "profile-499 /execname == \"calls\" && arg1/ { @[ustack()] = count(); }"
                                "syscall::getppid:entry /execname == \"calls\"/ { exit(0); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("calls`main+0x"), std::string::npos) << outcome.out << outcome.err;
}

// Each option must give the same callers: auto in any clause, and a copy for the stacks that come before the tables.
TEST(TableUnwinding, IsTheDefaultInAllClauses) {
  SKIP_UNLESS_TRACING();
  for (const std::string& clause :
       {std::string{"syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }"},
        std::string{"syscall::getppid:entry /pid == $target/ { ustack(); }"},
        std::string{"syscall::getppid:return /pid == $target/ { printf(\"%k\", ustack(8)); }"}}) {
    std::string command = trigger("calls") + " getppid 5";
    Outcome outcome = dscope({"-q", "-n", clause, "-c", command});
    EXPECT_EQ(outcome.out, traced("dwarf", clause, command).out) << clause << outcome.err;
    EXPECT_NE(outcome.out.find("calls`main+0x"), std::string::npos) << clause << outcome.out;
  }
}

TEST(TableUnwinding, CopiesTheStacksThatComeBeforeTheTables) {
  SKIP_UNLESS_TRACING();
  for (const char* action : {"ustack();", "@[ustack()] = count();", "@[ustack(4)] = min(1); @n[execname] = count();"}) {
    // The only call of a program that starts when tracing has begun.
    Outcome outcome = dscope({"-qv", "-xdestructive", "-n",
                              "BEGIN { system(\"" + trigger("calls") +
                                  " getppid 1\"); }"
                                  "syscall::getppid:entry /execname == \"calls\" && progenyof($pid)/ { " +
                                  action + " exit(0); }"});
    EXPECT_NE(outcome.out.find("calls`main+0x"), std::string::npos) << action << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find(" unwound from copies"), std::string::npos) << outcome.err;
  }
}

// main() calls outer(), which calls middle(), which calls leaf(). None of them has a frame pointer.
TEST(TableUnwinding, VariablesAgreeWithStacksWhateverTheOption) {
  SKIP_UNLESS_TRACING();
  for (const char* unwinding : {"auto", "tables", "dwarf"}) {
    Outcome outcome = traced(unwinding,
                             "pid$target:a.out:leaf:entry { self->depth = ustackdepth; }"
                             "pid$target:a.out:leaf:return { @[ufunc(ucaller), ustackdepth - self->depth] = count(); }",
                             trigger("deep") + " 3");
    EXPECT_NE(outcome.out.find("deep`middle  "), std::string::npos) << unwinding << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out.find("0x"), std::string::npos) << unwinding << outcome.out;
    EXPECT_NE(outcome.out.find("  0                8"), std::string::npos) << unwinding << outcome.out;
  }
  // main, outer, middle, leaf, and the two functions of libc before main.
  for (const char* unwinding : {"auto", "dwarf"}) {
    Outcome outcome =
        traced(unwinding, "syscall::getppid:entry /pid == $target/ { @[ustackdepth, ufunc(ucaller)] = count(); }",
               trigger("calls") + " getppid 5");
    Outcome stack = traced("dwarf", "syscall::getppid:entry /pid == $target/ { ustack(); exit(0); }",
                           trigger("calls") + " getppid 5");
    auto frames = std::count(stack.out.begin(), stack.out.end(), '`');
    EXPECT_NE(outcome.out.find(" " + std::to_string(frames) + "  calls`main"), std::string::npos)
        << unwinding << outcome.out << stack.out;
  }
}

TEST(TableUnwinding, DepthObeysMaxframes) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-q", "-xmaxframes=3", "-n", "pid$target:a.out:leaf:entry { @[ustackdepth] = count(); }",
                            "-c", trigger("deep") + " 3"});
  EXPECT_NE(outcome.out.find("3                8"), std::string::npos) << outcome.out << outcome.err;
}

// Another tracer's uretprobes replace the return addresses of leaf() and middle() by the kernel's trampoline.
TEST(TableUnwinding, FindsCallersUnderTheUretprobesOfAnotherTracer) {
  SKIP_UNLESS_TRACING();
  for (const std::string& program : {std::string{"deep"}, std::string{"narrow32"}}) {
    if (!std::filesystem::exists(trigger(program))) continue;  // no 32-bit program was built
    if (program == "narrow32" && !runs_32_bit_program(trigger(program))) continue;
    std::string functions =
        "uprobe:" + trigger(program) + ":leaf:return, uprobe:" + trigger(program) + ":middle:return";
    std::string inner = DSCOPE_PROGRAM
                        " -qn 'pid$target:a.out:leaf:return { @[ufunc(ucaller), ustack(3)] = count(); }' -c '" +
                        trigger(program) + (program == "deep" ? " 3'" : "'");
    Outcome outcome = dscope({"-q", "-xuretprobes", "-n", functions + " { @n = count(); }", "-c", inner});
    EXPECT_NE(outcome.out.find("  " + program + "`middle  "), std::string::npos) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find(program + "`middle+0x"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find(" 0x"), std::string::npos) << "the trampoline: " << outcome.out;
  }
}

}  // namespace
}  // namespace dscope::e2e
