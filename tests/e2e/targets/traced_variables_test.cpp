// Lists the lines of a program with their variables, and compares what the providers pid and uprobe find. The scripts
// providers/pid_lines*.d test the values.
#include <gtest/gtest.h>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

const std::string plain = DSCOPE_TRIGGERS "/cart_plain", optimized = DSCOPE_TRIGGERS "/cart";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(TracedVariables, ListingShowsTheLinesWithTheVariablesAliveThere) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope({"-lv", "-n", "pid$target:a.out:cart.c@3*:", "-c", plain});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part :
       {"cart.c@34:total_of", "cart.c@37:total_of", "struct item *$p", "int $price", "int $discount"})
    EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.out;
  EXPECT_FALSE(has(outcome.out, "cart.c@45")) << outcome.out;
}

TEST(TracedVariables, LinesOfAFileAreTracedInAllProcesses) {
  SKIP_UNLESS_TRACING();
  // Other tests may run the program at the same time.
  Outcome outcome =
      dscope({"-q", "-n", "uprobe:" + plain + ":cart.c@37:total_of /pid == $target/ { printf(\"%d \", $price); }", "-c",
              plain});
  EXPECT_EQ(outcome.out, "72 9 \n") << outcome.err;
}

// Each line fires with its own variables; lines without $total do not fire.
TEST(TracedVariables, PatternsMatchTheLinesWhereTheVariableIsAlive) {
  SKIP_UNLESS_TRACING();
  Outcome outcome =
      dscope({"-q", "-n", "pid$target:a.out:cart.c@*:total_of { @[probefunc, $total] = count(); }", "-c", plain});
  EXPECT_TRUE(has(outcome.out, "cart.c@40")) << outcome.out << outcome.err;
  EXPECT_TRUE(has(outcome.out, "81")) << outcome.out;
}

TEST(TracedVariables, MistakesAreExplained) {
  SKIP_UNLESS_TRACING();
  struct Case {
    const char *script, *message;
  };
  for (const auto& [script, message] : {
           Case{"pid$target:a.out:cart.c@52: { trace(1); }", "the next line with code is `cart.c@53`"},
           Case{"pid$target:a.out:cort.c@53: { trace(1); }", "did you mean `cart.c`?"},
           Case{"pid$target:a.out:cart.c@37: { trace($totel); }", "did you mean `$total`?"},
           Case{"BEGIN { trace($total); }", "macro variable $total is not defined"},
           Case{"pid$target:a.out:cart.c@37: { $total = 3; }", "read-only variable $total"},
       }) {
    Outcome outcome = dscope({"-n", script, "-c", plain});
    EXPECT_NE(outcome.status, 0) << script;
    EXPECT_TRUE(has(outcome.err, message)) << script << "\n" << outcome.err;
  }
}

}  // namespace
}  // namespace dscope::e2e
