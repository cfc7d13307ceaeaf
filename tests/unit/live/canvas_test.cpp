#include "live/canvas.h"

#include <gtest/gtest.h>
#include <locale.h>

namespace dscope {
namespace {

class CanvasTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_NE(::setlocale(LC_CTYPE, "C.UTF-8"), nullptr); }
  Canvas canvas_{{.rows = 2, .columns = 10}, {}};
};

TEST_F(CanvasTest, ClipsTextWithAnEllipsis) {
  EXPECT_EQ(canvas_.put(0, 0, "hello", ScreenStyle::Text), 5);
  EXPECT_EQ(canvas_.put(1, 2, "hello, world", ScreenStyle::Text, 6), 6);
  EXPECT_EQ(canvas_.line(0), "hello");
  EXPECT_EQ(canvas_.line(1), "  hello…");
}

TEST_F(CanvasTest, CountsColumnsOfWideCharacters) {
  EXPECT_EQ(canvas_.put(0, 0, "日本語", ScreenStyle::Text), 6);
  EXPECT_EQ(canvas_.at(0, 0).width, 2);
  EXPECT_EQ(canvas_.at(0, 1).width, 0);
  // The third character would need half a column more than there is.
  EXPECT_EQ(canvas_.put(1, 0, "日本語", ScreenStyle::Text, 4), 3);
  EXPECT_EQ(canvas_.line(1), "日…");
}

TEST_F(CanvasTest, OverwritingHalfOfAWideCharacterRemovesIt) {
  canvas_.put(0, 0, "日本", ScreenStyle::Text);
  canvas_.put(0, 1, "x", ScreenStyle::Text);
  EXPECT_EQ(canvas_.line(0), " x本");
  canvas_.put(0, 2, "y", ScreenStyle::Text);
  EXPECT_EQ(canvas_.line(0), " xy");
}

TEST_F(CanvasTest, KeepsCombiningCharactersInTheirCell) {
  EXPECT_EQ(canvas_.put(0, 0, "e\u0301x", ScreenStyle::Text), 2);
  EXPECT_EQ(canvas_.at(0, 0).characters[1], U'\u0301');
  EXPECT_EQ(canvas_.at(0, 1).characters[0], U'x');
  EXPECT_EQ(canvas_.put(1, 0, "\u0301", ScreenStyle::Text), 0);
}

TEST_F(CanvasTest, MakesControlCharactersVisible) {
  canvas_.put(0, 0, "a\033[2J\n", ScreenStyle::Text);
  EXPECT_EQ(canvas_.line(0), "a^[[2J^J");
  EXPECT_EQ(text_width("a\033[2J\n", true), 8);
}

TEST_F(CanvasTest, DrawsOnlyAsciiWithoutUnicode) {
  Canvas ascii{{.rows = 1, .columns = 10}, {.is_unicode = false}};
  EXPECT_EQ(ascii.put(0, 0, "日本e\u0301tude and more", ScreenStyle::Text), 10);
  EXPECT_EQ(ascii.line(0), "??e?tude ~");
}

TEST_F(CanvasTest, IgnoresWhatIsOutside) {
  EXPECT_EQ(canvas_.put(2, 0, "x", ScreenStyle::Text), 0);
  EXPECT_EQ(canvas_.put(0, 10, "x", ScreenStyle::Text), 0);
  EXPECT_EQ(canvas_.put(-1, 0, "x", ScreenStyle::Text), 0);
  canvas_.fill(5, 5, 5, U'x', ScreenStyle::Text);
  canvas_.put_right(0, 4, "much too long", ScreenStyle::Text, 4);
  EXPECT_EQ(canvas_.line(0), "muc…");
}

TEST_F(CanvasTest, SkipsColumnsOfText) {
  EXPECT_EQ(text_after("hello", 2, true), "llo");
  EXPECT_EQ(text_after("日本", 1, true), " 本");
  EXPECT_EQ(text_after("hello", 9, true), "");
}

TEST_F(CanvasTest, DrawsBarsInEighths) {
  EXPECT_EQ(bar_text(2.5, 10, true), "██▌");
  EXPECT_EQ(bar_text(0.001, 10, true), "▏");
  EXPECT_EQ(bar_text(0, 10, true), "");
  EXPECT_EQ(bar_text(99, 3, true), "███");
  EXPECT_EQ(bar_text(2.6, 10, false), "###");
}

}  // namespace
}  // namespace dscope
