// Control characters become visible, and everything printable stays as it is.
#include "support/text/visible_text.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(VisibleText, KeepsPrintableText) {
  for (const char* text : {"", "vmlinux`vfs_read+0x10", "caf\u00e9", "\u4e16\u754c", "e\u0301", "\U0001f600"}) {
    EXPECT_EQ(visible_line(text), text);
    EXPECT_EQ(visible_text(text), text);
  }
}

TEST(VisibleText, ControlCharactersAreVisible) {
  EXPECT_EQ(visible_line("a\033[2J\a\b\r\x7f"), "a^[[2J^G^H^M^?");
  EXPECT_EQ(visible_line(std::string_view{"a\0b", 3}), "a^@b");
  EXPECT_EQ(visible_line("\u009b2J"), "M-BM-^[2J") << "a C1 control sequence";
  EXPECT_EQ(visible_line("\u0085"), "M-BM-^E") << "next line";
}

TEST(VisibleText, MarksOfTextDirectionAreVisible) {
  EXPECT_EQ(visible_line("a\u202eb"), "aM-bM-^@M-.b");
  EXPECT_EQ(visible_line("a\u2028b"), "aM-bM-^@M-(b") << "line separator";
  EXPECT_EQ(visible_line("a\u2067b"), "aM-bM-^AM-'b");
}

TEST(VisibleText, BytesThatAreNotUtf8AreVisible) {
  EXPECT_EQ(visible_line("a\xff"), "aM-^?");
  EXPECT_EQ(visible_line("\xc3"), "M-C") << "truncated";
  EXPECT_EQ(visible_line("\xc0\x9b"), "M-@M-^[") << "an overlong escape character";
  EXPECT_EQ(visible_line("\xed\xa0\x80"), "M-mM- M-^@") << "a surrogate";
}

TEST(VisibleText, OnlyNamesLoseTheirLineEnds) {
  EXPECT_EQ(visible_text("a\n\tb\033"), "a\n\tb^[");
  EXPECT_EQ(visible_line("a\n\tb\033"), "a^J^Ib^[");
  std::string text;
  append_visible_line_ends(text, "a\nb\r\v\f\033\tc\n");
  EXPECT_EQ(text, "a^Jb^M^K^L\033\tc^J");
}

TEST(VisibleText, JsonKeepsItsValue) {
  EXPECT_EQ(without_controls_in_json("{\"a\":\"\u00e9\"}\n"), "{\"a\":\"\u00e9\"}\n");
  EXPECT_EQ(without_controls_in_json("\"\u009b\x7f\u202e\""), "\"\\u009b\\u007f\\u202e\"");
}

}  // namespace
}  // namespace dscope
