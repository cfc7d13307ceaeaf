// Line markers: written by cpp, written by hand, and lines that are not markers.
#include "support/line_marker.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(LineMarker, ParsesPreprocessorMarkers) {
  auto marker = parse_line_marker("# 12 \"/usr/include/x.h\" 1 3 4");
  ASSERT_TRUE(marker);
  EXPECT_EQ(marker->line, 12U);
  EXPECT_EQ(marker->file, "/usr/include/x.h");
  EXPECT_TRUE(marker->is_enter && marker->is_system && !marker->is_leave);
  marker = parse_line_marker("# 0 \"<built-in>\" 2");
  ASSERT_TRUE(marker);
  EXPECT_TRUE(marker->is_leave && !marker->is_enter && !marker->is_system);
}

TEST(LineMarker, ParsesHandwrittenMarkers) {
  EXPECT_EQ(parse_line_marker(" \t#\tline 7\r")->line, 7U);
  EXPECT_EQ(parse_line_marker("#7\"a \\\"b\\\" \\\\c\"")->file, "a \"b\" \\c");
}

TEST(LineMarker, RejectsOtherControlLines) {
  for (const char* text : {"", "x", "#", "# ", "#line", "#define X 1", "# -1", "# 1x", "# 1 x", "# 1 \"x",
                           "# 1 \"x\" y", "# 99999999999", "#!/usr/sbin/dtrace"})
    EXPECT_FALSE(parse_line_marker(text)) << text;
}

TEST(LineMarker, ParsesLineNumbers) {
  std::string_view text = "a\n# 10 \"x\"\nb\nc\n#line 5\nd";
  EXPECT_EQ(marked_line(text, 0), 1U);
  EXPECT_EQ(marked_line(text, text.find('b')), 10U);
  EXPECT_EQ(marked_line(text, text.find('c')), 11U);
  EXPECT_EQ(marked_line(text, text.find('d')), 5U);
  EXPECT_EQ(marked_line(text, 1000), 5U);
}

}  // namespace
}  // namespace dscope
