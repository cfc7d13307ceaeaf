// Return probes by uretprobes where no clause can tell the difference.
#include <gtest/gtest.h>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

std::string trigger(const std::string& name) { return DSCOPE_TRIGGERS "/" + name; }

Outcome traced(const std::string& clause) {
  return dscope({"-qn",
                 "pid$target:a.out:add_eight:return, pid$target:a.out:negative:return,"
                 "pid$target:a.out:factorial:return, pid$target:a.out:hidden:return " +
                     clause,
                 "-c", trigger("functions") + " 100"});
}

TEST(CheapReturns, FireAsOftenAndReturnTheSame) {
  SKIP_UNLESS_TRACING();
  Outcome cheap = traced("{ @[probefunc, arg1] = count(); }");
  Outcome exact = traced(
      "{ @[probefunc, arg1] = count(); } END { exit(0); } pid$target:a.out:negative:return { x = arg0; }"
      " pid$target:a.out:add_eight:return, pid$target:a.out:hidden:return { x = arg0; }");
  EXPECT_EQ(cheap.status, 0) << cheap.err;
  EXPECT_NE(cheap.out.find("negative"), std::string::npos) << cheap.out;
  EXPECT_EQ(cheap.out, exact.out);
}

TEST(CheapReturns, DependOnWhatTheClausesRead) {
  SKIP_UNLESS_TRACING();
  auto plan = [](const std::string& function, const std::string& clause) {
    return dscope({"--dump=plan", "-n", "pid$target:a.out:" + function + ":return { " + clause + " }", "-c",
                   trigger("functions")})
        .out;
  };
  EXPECT_NE(plan("negative", "@ = count();").find("uretprobe"), std::string::npos) << plan("negative", "@ = count();");
  EXPECT_NE(plan("negative", "@ = sum(arg1);").find("uretprobe"), std::string::npos);
  for (const char* clause : {"@ = sum(arg0);", "ustack();", "trace(uregs[R_PC]);", "trace(ucaller);", "stack();"})
    EXPECT_EQ(plan("negative", clause).find("uretprobe"), std::string::npos) << clause;
  EXPECT_EQ(plan("factorial", "@ = count();").find("uretprobe"), std::string::npos)
      << "returns that are nested deeply would be lost";
}

TEST(CheapReturns, AreListed) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-lv", "-xdebug", "-n", "pid$target:a.out:negative:return", "-c", trigger("functions")});
  EXPECT_NE(outcome.out.find("a uretprobe, unless clauses read arg0, registers or stacks"), std::string::npos)
      << outcome.out << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
