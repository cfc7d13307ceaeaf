// Programs that the verifier finds too large are compiled for size.
#include <gtest/gtest.h>

#include "e2e_support.h"
#include "support/format.h"

namespace dscope::e2e {
namespace {

// `count` assignments of ten string functions under conditions. The verifier follows about 12,000 instructions of each
// if it checks the functions at each call, and 600 if it checks them once (measured with Linux 6.18).
std::string assignments(int count) {
  std::string text = "string s, p; BEGIN { s = \"\"; p = \"/a/c\"; }\nBEGIN\n{\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "  s = index(s, \"x\") >= 0 || strstr(p, basename(p)) == NULL ? \"wrong\" :\n"
        "      substr(strjoin(s, toupper(dirname(p)) == \"/A\" ? lltostr({}) : \"b\"), strlen(s) > 8 ? 2 : 0);\n",
        10 + i % 90);
  return text + "  printf(\"%s\\n\", s);\n  exit(0);\n}\n";
}

TEST(LargeProgram, IsCompiledForSize) {
  Outcome outcome = dscope({"-v", "-q", "-n", assignments(95)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("dscope: compiling for size: the program is too large for the verifier\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.out.find("1011121314\n"), std::string::npos) << outcome.out;
}

TEST(LargeProgram, SmallOnesAreNotCompiledForSize) {
  Outcome outcome = dscope({"-v", "-q", "-n", assignments(5)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("compiling for size"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("1011121314\n"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace dscope::e2e
