// User stacks that the BPF programs unwind by tables (-x ustackunwind=tables). The result must be that of elfutils.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dscope::e2e
