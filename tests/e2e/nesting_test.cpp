// Generated programs: long operator chains, and nesting without limit, which the compiler must reject without a crash.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "e2e_support.h"
#include "support/deep_stack.h"
#include "tests/support/nested_programs.h"

namespace dscope::e2e {
namespace {

// These texts are longer than the kernel's limit for one argument.
Outcome run_script(const std::string& text, std::vector<std::string> arguments) {
  std::string path = ::testing::TempDir() + "dscope_nesting_" + std::to_string(getpid()) + ".d";
  std::ofstream(path) << text << "\n";
  arguments.insert(arguments.end(), {"-x", "errtags", "-s", path});
  Outcome outcome = dscope(std::move(arguments));
  std::filesystem::remove(path);
  return outcome;
}

bool can_be_deep() {
  rlimit limit{};
  return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_max >= DeepStack::target_bytes;
}

TEST(Nesting, ChainsOfTenThousandOperatorsCompile) {
  if (!can_be_deep()) GTEST_SKIP() << "the hard limit of the stack is too low";
  constexpr size_t terms = 9990;
  for (const char* term : {"pid + ", "pid && ", "pid || ", "1 + ", "- ", "(int)", "pid == 3 ? 2 : ", "x = "}) {
    Outcome outcome = run_script("BEGIN { x = " + repeated(term, terms) + "1; }", {"-e"});
    EXPECT_EQ(outcome.err, "") << term;
    EXPECT_EQ(outcome.status, 0) << term;
  }
  EXPECT_EQ(run_script("BEGIN /" + repeated("execname == \"a\" || ", 9000) + "1/ { }", {"-e"}).err, "");
  EXPECT_EQ(run_script("BEGIN { x++" + repeated(", x++", 9000) + "; } ", {"-e"}).err.find("undefined"),
            std::string::npos);
}

TEST(Nesting, ThreeThousandParenthesesCompile) {
  if (!can_be_deep()) GTEST_SKIP() << "the hard limit of the stack is too low";
  EXPECT_EQ(run_script("BEGIN { x = " + repeated("(pid + ", 3000) + "1" + repeated(")", 3000) + "; }", {"-e"}).err, "");
  EXPECT_EQ(run_script("BEGIN { x = " + repeated("toupper(", 3000) + "\"a\"" + repeated(")", 3000) + "; }", {"-e"}).err,
            "");
}

TEST(Nesting, SumsOfThousandsOfTermsAreCorrect) {
  SKIP_UNLESS_TRACING();
  if (!can_be_deep()) GTEST_SKIP() << "the hard limit of the stack is too low";
  Outcome outcome =
      run_script("BEGIN { i = 1; }\nBEGIN { x = " + repeated("i + ", 8999) + "i; trace(x); exit(0); }", {"-q"});
  EXPECT_EQ(outcome.out, "9000\n");
  outcome = run_script("BEGIN /" + repeated("pid == 1 || ", 9000) + "1/ { trace(\"yes\"); exit(0); }", {"-q"});
  EXPECT_EQ(outcome.out, "yes\n") << outcome.err;
}

// The verifier must not explore every combination of their branches, and the temporaries must fit into BPF's stack.
TEST(Nesting, HundredsOfDivisionsInOnePrintfLoad) {
  SKIP_UNLESS_TRACING();
  std::string formats, quotients, chains;
  for (int i = 0; i < 200; ++i) {
    std::string number = std::to_string(i);
    formats += "%d ";
    quotients += ", arg0 / (arg1 + " + number + ")";
    chains += ", this->a / (b - " + number + ") % this->b";
  }
  Outcome outcome =
      run_script("BEGIN { b = 3; exit(0); }\ntick-1 { this->a = arg0; this->b = arg1; printf(\"" + formats + "\"" +
                     quotients + "); }\ntick-1 { printf(\"" + formats + "\"" + chains + "); }",
                 {"-q"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.status, 0);
}

std::string chain_of_inlines(size_t count, const std::string& parameter, const std::string& argument) {
  std::string text = "inline int a0" + parameter + " = pid;\n";
  for (size_t i = 1; i <= count; ++i)
    text += "inline int a" + std::to_string(i) + parameter + " = a" + std::to_string(i - 1) + argument + " + 1;\n";
  return text + "BEGIN { trace(a" + std::to_string(count) + argument + "); }";
}

TEST(Nesting, LongChainsOfInlinesCompile) {
  EXPECT_EQ(run_script(chain_of_inlines(400, "", ""), {"-e"}).err, "");
  std::string with_parameters = chain_of_inlines(300, "[int x]", "[x]");
  with_parameters.replace(with_parameters.rfind("[x]"), 3, "[1]");
  EXPECT_EQ(run_script(with_parameters, {"-e"}).err, "");
}

TEST(Nesting, UnlimitedNestingIsRejected) {
  constexpr size_t depth = 100'000;
  for (const std::string& text : nested_programs(depth)) {
    Outcome outcome = run_script(text, {"-e"});
    EXPECT_EQ(outcome.status, 1) << text.substr(0, 40);
    EXPECT_NE(outcome.err.find("[D_SYNTAX] line 1: program is nested too deeply"), std::string::npos)
        << text.substr(0, 40) << outcome.err.substr(0, 200);
  }
}

}  // namespace
}  // namespace dscope::e2e
