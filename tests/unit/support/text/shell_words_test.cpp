// Words of a command line: quotes and backslashes as in sh(1).
#include "support/text/shell_words.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

using Words = std::vector<std::string>;

Words split(std::string_view text) {
  auto words = split_shell_words(text);
  return words ? *words : Words{"error: " + words.error().message()};
}

TEST(ShellWords, BlanksSeparateWords) {
  EXPECT_EQ(split(" ls\t-l\n/tmp "), (Words{"ls", "-l", "/tmp"}));
  EXPECT_EQ(split(""), Words{});
  EXPECT_EQ(split(" \t"), Words{});
}

TEST(ShellWords, QuotesProtectBlanks) {
  EXPECT_EQ(split(R"(cmd "two words" 'and three more' a"b c"d'e f'g)"),
            (Words{"cmd", "two words", "and three more", "ab cde fg"}));
  EXPECT_EQ(split(R"(cmd "" '')"), (Words{"cmd", "", ""}));
  EXPECT_EQ(split(R"(sh -c 'echo "$HOME" | wc')"), (Words{"sh", "-c", R"(echo "$HOME" | wc)"}));
}

TEST(ShellWords, BackslashesEscape) {
  EXPECT_EQ(split(R"(two\ words \'a\' \\)"), (Words{"two words", "'a'", "\\"}));
  EXPECT_EQ(split(R"("a\"b\\c\$d\`e\n" 'a\b')"), (Words{R"(a"b\c$d`e\n)", R"(a\b)"}));
  EXPECT_EQ(split("one\\\nword \"and\\\none\""), (Words{"oneword", "andone"}));
  EXPECT_EQ(split("\\\n x"), Words{"x"});
  EXPECT_EQ(split("end\\"), Words{"end\\"});
}

TEST(ShellWords, QuotedWordsAreReadAsOneWord) {
  for (const char* word : {"", "two words", "it's", "a\nb", "$HOME", "\\", "*"})
    EXPECT_EQ(split(quote_shell_word(word)), Words{word}) << word;
  EXPECT_EQ(quote_shell_word("-x"), "-x");
  EXPECT_EQ(quote_shell_word("it's"), R"('it'\''s')");
}

TEST(ShellWords, UnterminatedQuotesFail) {
  EXPECT_EQ(split("echo it's"), Words{"error: unterminated ' in: echo it's"});
  EXPECT_EQ(split("echo \"a\\\""), Words{"error: unterminated \" in: echo \"a\\\""});
}

}  // namespace
}  // namespace dscope
