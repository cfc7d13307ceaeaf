// Thousands of probes need few BPF programs: one for each mechanism and location of the arguments that clauses read.
#include <gtest/gtest.h>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

size_t programs_of(const std::string& program) {
  Outcome outcome = dscope({"--dry-run", "--dump=plan", "-n", program});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  size_t programs = 0;
  for (size_t at = 0; (at = outcome.out.find("program prog_", at)) != std::string::npos; ++at) ++programs;
  return programs;
}

TEST(Scale, ProbesWithTheSameArgumentsShareAProgram) {
  SKIP_UNLESS_TRACING();
  EXPECT_EQ(programs_of("syscall::: { @ = sum(arg0); }"), 2U);
  EXPECT_EQ(programs_of("sdt::: { @[probename] = count(); }"), 1U);
  EXPECT_LT(programs_of("rawtp::: { @ = sum(arg0); }"), 10U);  // numbers of all sizes
  EXPECT_LT(programs_of("sdt::: { @ = sum(arg0); }"), 20U);    // first fields of all sizes, at a few offsets
}

// The socket of a received packet comes from earlier sends and state changes, which cost further programs.
TEST(Scale, UnusedSocketsCostNoPrograms) {
  SKIP_UNLESS_TRACING();
  EXPECT_EQ(programs_of("tcp:::receive { @ = count(); }"), 1U);
  EXPECT_EQ(programs_of("tcp:::receive { @ = count(); @addresses[args[2]->ip_saddr] = count(); }"), 1U);
  EXPECT_EQ(programs_of("tcp:::receive { @[args[3]->tcps_state] = count(); }"), 3U);
}

// The kernel does not let perf events sample the interrupts that sampling causes.
TEST(Scale, InterruptsOfTracingItselfCanBeTraced) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-qZn", "sdt:irq_vectors::irq_work_* { @ = sum(arg0); } BEGIN { exit(0); }"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

}  // namespace
}  // namespace dscope::e2e
