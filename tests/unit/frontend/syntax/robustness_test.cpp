// Unnatural inputs: deep nesting, huge and malformed programs. The time limits are loose and only detect nonlinear
// behavior.
#include <ctime>
#include <random>

#include "parse_text.h"
#include "tests/support/nested_programs.h"

namespace dscope {
namespace {

TEST(Nesting, HundredLevelsParse) {
  for (const std::string& text : nested_programs(100)) EXPECT_EQ(message_of(text), "") << text.substr(0, 40);
}

TEST(Nesting, TooManyLevelsAreASyntaxError) {
  for (const std::string& text : nested_programs(20000)) EXPECT_EQ(tag_of(text), "D_SYNTAX") << text.substr(0, 40);
}

// Counts CPU time: other work on the machine must not fail a test.
class Stopwatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

TEST(Size, TenThousandClausesParseInTime) {
  Stopwatch stopwatch;
  ParsedText parsed(
      repeated("syscall::read:entry /pid == $target && arg0 / 2 > 3/ { @[execname] = count(); }\n", 10000));
  EXPECT_FALSE(parsed.failed());
  EXPECT_EQ(parsed.externals().size(), 10000u);
  EXPECT_EQ(parsed.externals().back().at.line, 10000u);
  EXPECT_LT(stopwatch.seconds(), 10);
}

TEST(Size, RepeatedPiecesParseInTime) {
  constexpr size_t quarter = 1 << 18;
  const std::string heads[] = {"", "BEGIN { ", "int ", "BEGIN /", "inline int x = "};
  const std::string pieces[] = {" ",       "\n",   "a ",   "a.",   "a.b`c ", "/ ",   "/*",   "/**/", "(",
                                "[",       "{",    "#\n",  "\"",   "'",      "\\\n", "$1 ",  "$",    ":",
                                "*",       "0",    "9",    "`",    "\1",     "-",    "a",    "if ",  "a, ",
                                "x = 1; ", "\xff", "#!\n", "//\n", "@",      "a[",   "1ul ", "?",    "struct {"};
  for (const std::string& head : heads) {
    for (const std::string& piece : pieces) {
      Stopwatch stopwatch;
      ParsedText parsed(head + repeated(piece, quarter / piece.size()));
      EXPECT_LT(stopwatch.seconds(), 5) << head << piece;
    }
  }
}

TEST(Size, ClausesAndProgramsHaveALimit) {
  EXPECT_EQ(message_of("BEGIN { " + repeated("x = 1; ", 21000) + "}"), "");
  EXPECT_EQ(message_of("BEGIN { " + repeated("x = 1; ", 22000) + "}"),
            "clause is too large: more than 65536 subexpressions");
  EXPECT_EQ(message_of(repeated("BEGIN { " + repeated("x = 1; ", 1000) + "}\n", 400)),
            "program is too large: more than 1000000 subexpressions");
}

TEST(Size, MegabyteOfZeroBytesIsRejected) {
  EXPECT_EQ(tag_of(std::string(1 << 20, '\0')), "D_SYNTAX");
  EXPECT_EQ(tag_of("BEGIN { " + std::string(1 << 20, '\0') + " }"), "D_SYNTAX");
}

// clang-format off: one item per line would fill the screen.
const std::string garbage_pieces[] = {
    "BEGIN", "{", "}", "(", ")", "[", "]", ";", ",", "/", "int ", "x", " ", "\n", "struct ", "self->", "this", "@",
    "$1", "\"s\"", "1", "'c'", "inline ", "translator ", "provider ", "probe ", "<", ">", "=", "+", "*", "&", "#",
    "#line 3\n", "#pragma D option a\n", "if", "else ", "xlate ", "sizeof ", "offsetof", "enum ", ":", "...", ".",
    "->", "`", "pid_t ", "/*", "*/", "//", "\\", std::string(1, '\0'), "\xff", "typedef ", "?", "string ",
    "userland "};
// clang-format on

TEST(Garbage, NeverCrashes) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text = round % 2 ? "BEGIN { " : "";
    for (size_t length = random() % 30; length > 0; --length)
      text += garbage_pieces[random() % std::size(garbage_pieces)];
    ParsedText parsed(text, {.kind = round % 3 ? UnitKind::Script : UnitKind::String, .arguments = {"-1"}});
    EXPECT_EQ(parsed.failed(), !parsed.message().empty());
  }
}

TEST(Unit, NothingIsParsedAfterAnEarlierError) {
  ParsedText parsed("BEGIN { ] }");
  ASSERT_TRUE(parsed.failed());
  std::string first = parsed.message();
  parsed.add("int x");
  EXPECT_EQ(parsed.message(), first);
}

}  // namespace
}  // namespace dscope
