// Output on a terminal that pipes must not receive: progress, colors, masked control characters.
#include <gtest/gtest.h>

#include "tests/e2e/e2e_support.h"

namespace dscope::e2e {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// ---------------------------------------------------------------- progress

// All probes of the machine: attaching to them takes about a second.
const std::vector<std::string> slow_start{"-n", "::: { @ = count(); } BEGIN { exit(0); }"};

TEST(Terminal, ProgressIsErased) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope_on_terminal(slow_start);
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  std::string left = left_on_screen(outcome.out);
  EXPECT_FALSE(has(left, "...")) << left;
  EXPECT_TRUE(has(left, "CPU     ID                    FUNCTION:NAME\n")) << left;
}

TEST(Terminal, ProgressNeedsATerminalThatCanErase) {
  SKIP_UNLESS_TRACING();
  Outcome piped = dscope(slow_start);
  EXPECT_FALSE(has(piped.out + piped.err, "\x1b")) << piped.err;
  EXPECT_FALSE(has(piped.out + piped.err, "...")) << piped.err;
  Outcome dumb = dscope_on_terminal(slow_start, {"TERM=dumb"});
  EXPECT_FALSE(has(dumb.out, "\x1b")) << dumb.out;
}

// ---------------------------------------------------------------- control characters

struct Traced {
  const char* name;
  const char* actions;
  const char* shown;  // on the terminal; pipes get the raw bytes "\033[2J"
};
void PrintTo(const Traced& traced, std::ostream* out) { *out << traced.name; }

class TracedText : public testing::TestWithParam<Traced> {};

TEST_P(TracedText, CannotControlTheTerminal) {
  SKIP_UNLESS_TRACING();
  std::vector<std::string> arguments{
      "-q", "-n", std::string("BEGIN { this->text = \"a\\033[2Jb\"; ") + GetParam().actions + " exit(0); }"};
  Outcome terminal = dscope_on_terminal(arguments);
  EXPECT_TRUE(has(terminal.out, GetParam().shown)) << terminal.out;
  EXPECT_FALSE(has(terminal.out, "\x1b")) << terminal.out;
  Outcome piped = dscope(arguments);
  EXPECT_TRUE(has(piped.out, "a\x1b[2Jb")) << piped.out;
}

INSTANTIATE_TEST_SUITE_P(
    E2e, TracedText,
    testing::Values(Traced{"printf", "printf(\"<%s>\\n\", this->text);", "<a^[[2Jb>\n"},
                    Traced{"printf_width", "printf(\"<%-10s%10s>\", this->text, this->text);",
                           "<a^[[2Jb      a^[[2Jb>"},
                    Traced{"trace", "trace(this->text);", "a^[[2Jb"},
                    Traced{"key", "@[this->text] = count();", "  a^[[2Jb  "},
                    Traced{"distribution", "@[this->text] = quantize(1);", "  a^[[2Jb  "},
                    Traced{"printa", "@[this->text] = count(); printa(\"<%s>\", @);", "<a^[[2Jb>"},
                    Traced{"printa_default", "@[this->text] = count(); printa(@);", "  a^[[2Jb  "},
                    Traced{"aggpack", "@[this->text] = quantize(1); setopt(\"aggpack\");", "a^[[2Jb"},
                    Traced{"agghist", "@[this->text] = count(); setopt(\"agghist\");", "a^[[2Jb"}));

// The literal text of a format belongs to the script, so it may contain escape sequences.
TEST(Terminal, FormatsMayContainEscapeSequences) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope_on_terminal({"-qn", "BEGIN { printf(\"\\033[1mbold\\033[0m\\n\"); exit(0); }"});
  EXPECT_EQ(outcome.out, "\x1b[1mbold\x1b[0m\n\n");
}

TEST(Terminal, RawtextPrintsStringsAsTheyAre) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope_on_terminal({"-xrawtext", "-qn", "BEGIN { trace(\"a\\033[1mb\"); exit(0); }"});
  EXPECT_TRUE(has(outcome.out, "a\x1b[1mb")) << outcome.out;
}

// ---------------------------------------------------------------- faults

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

TEST(Terminal, RepeatedFaultsAreCounted) {
  SKIP_UNLESS_TRACING();
  const std::vector<std::string> arguments{"-qn", "syscall::write:entry /pid == $target/ { trace(*(int *)64); }", "-c",
                                           "dd if=/dev/zero of=/dev/null bs=1 count=500 status=none"};
  Outcome terminal = dscope_on_terminal(arguments);
  std::string shown = left_on_screen(terminal.out);
  EXPECT_EQ(count_of(shown, "dscope: fault in syscall:vmlinux:write:entry: invalid address (0x40)\n"), 1U) << shown;
  EXPECT_EQ(count_of(shown, "invalid address (0x40)"), 1U) << shown;
  EXPECT_TRUE(has(shown, " more faults in ")) << shown;
  EXPECT_FALSE(has(shown, "dt_clause_")) << shown;
  EXPECT_EQ(count_of(dscope(arguments).err, "dscope: error in dt_clause_0 for probe ID "), 500U);
}

TEST(Terminal, FaultsHintAtUserAddresses) {
  SKIP_UNLESS_TRACING();
  Outcome outcome = dscope_on_terminal(
      {"-qn", "syscall::write:entry /pid == $target/ { trace(stringof(arg1)); exit(0); }", "-c", "echo text"});
  EXPECT_TRUE(has(left_on_screen(outcome.out), "use copyinstr(arg1)\n")) << outcome.out;
}

// ---------------------------------------------------------------- columns

// The terminal has 100 columns.
TEST(Terminal, RowsFitTheTerminal) {
  SKIP_UNLESS_TRACING();
  std::string key = "/usr/lib/" + std::string(120, 'x') + "/libc.so.6";
  std::vector<std::string> arguments = {"-qn", "BEGIN { @[\"" + key + "\", 12] = count(); exit(0); }"};
  std::string text = left_on_screen(dscope_on_terminal(arguments).out);
  for (size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) EXPECT_LE(end - at, 100U) << text;
  EXPECT_TRUE(has(text, "/usr/lib/xxx")) << text;
  EXPECT_TRUE(has(text, "xx..xx")) << text;
  EXPECT_TRUE(has(text, "xxx/libc.so.6 12  1\n")) << text;
  EXPECT_TRUE(has(dscope(arguments).out, key));
  EXPECT_TRUE(has(dscope_on_terminal({"-ln", "BEGIN"}).out, "ID PROVIDER MODULE FUNCTION NAME\n"));
}

// ---------------------------------------------------------------- colors

TEST(Terminal, MessagesHaveColorsUnlessDisabled) {
  const std::vector<std::string> wrong{"-n", "BEGIN { trace(pidd); }"};
  Outcome plain = dscope_on_terminal(wrong, {"NO_COLOR=1"});
  EXPECT_FALSE(has(plain.out, "\x1b")) << plain.out;
  EXPECT_TRUE(has(plain.out, "      = hint: did you mean `pid`?\n")) << plain.out;
  for (const std::string setting : {"TERM=", "TERM=dumb"})
    EXPECT_EQ(dscope_on_terminal(wrong, {setting}).out, plain.out) << setting;
  Outcome colored = dscope_on_terminal(wrong, {"NO_COLOR="});
  EXPECT_TRUE(has(colored.out, "\x1b[")) << colored.out;
  EXPECT_EQ(left_on_screen(colored.out), plain.out);
}

}  // namespace
}  // namespace dscope::e2e
