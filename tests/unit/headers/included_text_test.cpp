// Splits a preprocessor's output into files, and joins selected files again.
#include "headers/included_text.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

constexpr const char* text =
    "# 0 \"<built-in>\"\n# 1 \"/dev/stdin\"\n# 1 \"a.h\" 1\na1\n# 1 \"/usr/b.h\" 1 3 4\nb1\n# 1 \"c.h\" 1\nc1\n"
    "# 2 \"/usr/b.h\" 2 3 4\nb2\n# 2 \"a.h\" 2\na2\n# 5 \"/dev/stdin\" 2\ns5\n# 1 \"empty.h\" 1\n\n# 7 \"/dev/stdin\" "
    "2\n"
    "s7\n# 7 \"/dev/stdin\" 3 4\n(x)\n# 7 \"/dev/stdin\"\ns7b";

TEST(IncludedText, ListsItsFiles) {
  IncludedText included{text};
  std::string files;
  for (const IncludedFile& file : included.files()) files += file.name + (file.is_system ? "* " : " ");
  EXPECT_EQ(files, " a.h /usr/b.h* c.h* empty.h ");
  EXPECT_EQ(included.in_include_order(), (std::vector<size_t>{3, 2, 1, 4}));
  EXPECT_FALSE(included.is_empty(1));
  EXPECT_TRUE(included.is_empty(4));
}

TEST(IncludedText, JoinsSelectedFiles) {
  IncludedText included{text};
  EXPECT_EQ(included.text_of([](size_t file) { return file == IncludedText::script || file == 1; }),
            "# 0 \"<built-in>\"\n# 1 \"/dev/stdin\"\n# 1 \"a.h\" 1\na1\n# 2 \"a.h\"\na2\n# 5 \"/dev/stdin\" 2\ns5\n"
            "# 7 \"/dev/stdin\"\ns7\n# 7 \"/dev/stdin\"\n(x)\n# 7 \"/dev/stdin\"\ns7b");
  EXPECT_EQ(included.text_of([](size_t file) { return file >= 2; }),
            "# 1 \"/usr/b.h\" 1\nb1\n# 1 \"c.h\"\nc1\n# 2 \"/usr/b.h\"\nb2\n");
}

TEST(IncludedText, HandlesMissingAndDamagedMarkers) {
  auto all = [](size_t) { return true; };
  EXPECT_EQ(IncludedText{""}.text_of(all), "");
  EXPECT_EQ(IncludedText{"a\n#pragma x\nb"}.text_of(all), "a\n#pragma x\nb");
  // More leave than enter markers, a file that is never left, names that need quotes.
  EXPECT_EQ(IncludedText{"# 3 \"x\" 2\na\n# 1 \"y\\\"\" 1\nb"}.text_of(all), "# 3 \"x\"\na\n# 1 \"y\\\"\" 1\nb");
}

}  // namespace
}  // namespace dscope
