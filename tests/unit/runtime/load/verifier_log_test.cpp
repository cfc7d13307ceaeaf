#include "runtime/load/verifier_log.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(VerifierLog, ShowsSourceLineAndComplaint) {
  EXPECT_EQ(explain_verifier_log("; @a = count(); @ script.d:2\n"
                                 "0: (85) call bpf_map_lookup_elem#1\n"
                                 "; @[execname] = quantize(arg2); @ script.d:3\n"
                                 "12: (7b) *(u64 *)(r0 +0) = r7\n"
                                 "R0 invalid mem access 'map_value_or_null'\n"
                                 "processed 9 insns (limit 1000000) max_states_per_insn 0\n"),
            "script.d:3: @[execname] = quantize(arg2);: R0 invalid mem access 'map_value_or_null'");
}

TEST(VerifierLog, ShowsSourceLineWithoutPosition) {
  EXPECT_EQ(explain_verifier_log("; x = 1;\n0: (95) exit\n"), "x = 1;");
}

TEST(VerifierLog, ShowsLastTenLinesWithoutSource) {
  std::string log;
  for (int i = 0; i < 20; ++i) log += "line " + std::to_string(i) + "\n";
  std::string hint = explain_verifier_log(log);
  EXPECT_TRUE(hint.starts_with("line 10\n"));
  EXPECT_TRUE(hint.ends_with("line 19"));
}

TEST(VerifierLog, ExplainsForbiddenWritesToProcesses) {
  std::string complaint = "program of this type cannot use helper bpf_probe_write_user#36\nprocessed 9 insns\n";
  std::string sentence = "this kernel is locked down and forbids writing to user memory: copyout( ), copyoutstr( )";
  EXPECT_EQ(explain_verifier_log("; copyout(p, arg0, 4); @ a.d:2\n8: (85) call bpf_probe_write_user#36\n" + complaint),
            "a.d:2: copyout(p, arg0, 4);: " + sentence);
  EXPECT_EQ(explain_verifier_log("8: (85) call bpf_probe_write_user#36\n" + complaint), sentence);
}

TEST(VerifierLog, HandlesEmptyLog) { EXPECT_EQ(explain_verifier_log(""), ""); }

}  // namespace
}  // namespace dscope
