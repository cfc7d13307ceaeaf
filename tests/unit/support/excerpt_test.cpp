// Source excerpts: truncated, aligned and safe on any terminal.
#include "support/excerpt.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

std::string shown(std::string line, uint32_t begin, uint32_t length, const Terminal& terminal = {}) {
  SourceLocation place{.line = 7, .column = begin + 1, .line_text = line};
  return excerpt(place, {begin, begin + length}, terminal);
}

TEST(Excerpt, MarksTheRange) {
  EXPECT_EQ(shown("x = nosuch;", 4, 6),
            "    7 | x = nosuch;\n"
            "      |     ^~~~~~\n");
  EXPECT_EQ(shown("abc", 3, 0), "    7 | abc\n      |    ^\n") << "after the end";
  EXPECT_EQ(shown("abc", 1, 50), "    7 | abc\n      |  ^~\n") << "to the end of the line only";
  EXPECT_EQ(shown("", 0, 1), "    7 | \n      | ^\n");
}

TEST(Excerpt, TabsBecomeBlanks) {
  EXPECT_EQ(shown("\tx\ty", 3, 1),
            "    7 |         x       y\n"
            "      |                 ^\n");
}

TEST(Excerpt, UnicodeCharactersKeepTheirWidth) {
  EXPECT_EQ(shown("\"\u00e9\" x", 5, 1), "    7 | \"\u00e9\" x\n      |     ^\n");
  EXPECT_EQ(shown("\"\u4e16\u754c\" x", 9, 1), "    7 | \"\u4e16\u754c\" x\n      |        ^\n") << "wide";
  EXPECT_EQ(shown("\"e\u0301\" x", 6, 1), "    7 | \"e\u0301\" x\n      |     ^\n") << "combining";
}

TEST(Excerpt, UnsafeBytesBecomeQuestionMarks) {
  EXPECT_EQ(shown("a\033[1mb", 0, 1), "    7 | a?[1mb\n      | ^\n");
  EXPECT_EQ(shown("a\xff\xc3", 2, 1), "    7 | a??\n      |   ^\n") << "not UTF-8";
  EXPECT_EQ(shown("a\u202eb", 4, 1), "    7 | a?b\n      |   ^\n") << "reverses the direction of text";
  EXPECT_EQ(shown("a\xc2\x9b"
                  "b",
                  3, 1),
            "    7 | a?b\n      |   ^\n")
      << "a C1 control sequence";
  EXPECT_EQ(safe_text("one\r\n\ttwo\x7f"), "one?\n\ttwo?");
}

TEST(Excerpt, LongLinesAreCutAroundTheMark) {
  std::string line(5000, 'x');
  line[2500] = 'Y';
  std::string text = shown(line, 2500, 2, {.width = 60});
  size_t newline = text.find('\n');
  EXPECT_LE(newline, 60U);
  EXPECT_TRUE(text.starts_with("    7 | ...xxx")) << text;
  EXPECT_TRUE(text.substr(0, newline).ends_with("xxx...")) << text;
  EXPECT_EQ(text.find('Y'), text.find('^') - newline - 1) << text;
}

TEST(Excerpt, HandlesHugeLinesAndNarrowTerminals) {
  std::string text = shown(std::string(10 << 20, '\t'), 5 << 20, 1 << 20, {.width = 1});
  EXPECT_LT(text.size(), 200U);
  EXPECT_EQ(shown("x", 0, 1, {.width = 0}), "    7 | x\n      | ^\n");
}

TEST(Excerpt, ColorsSurroundTheMark) {
  EXPECT_EQ(shown("x y", 2, 1, {.has_colors = true}),
            "\033[34m    7 |\033[0m x y\n\033[34m      |\033[0m   \033[1;31m^\033[0m\n");
}

}  // namespace
}  // namespace dscope
