// Short texts in pictures.
#include "pictures/profile/picture_text.h"

#include <gtest/gtest.h>

#include "pictures/pictures_fixture.h"

namespace dscope::test {
namespace {

TEST(PictureText, GroupsDigits) {
  EXPECT_EQ(grouped_number(int64_t{0}), "0");
  EXPECT_EQ(grouped_number(int64_t{999}), "999");
  EXPECT_EQ(grouped_number(int64_t{-1234567}), "-1,234,567");
  EXPECT_EQ(grouped_number(INT64_MIN), "-9,223,372,036,854,775,808");
  EXPECT_EQ(grouped_number(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(PictureText, ShortensByCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab…");
  EXPECT_EQ(shortened("äöüß", 3), "äö…");
  EXPECT_EQ(shortened("abc", 1), "…");
}

TEST(PictureText, MakesControlCharactersOfKeysVisible) {
  EXPECT_EQ(keys_text({text_key("a\nb"), text_key("\x1b[31m\xff")}), "a^Jb, ^[[31mM-^?");
  EXPECT_EQ(keys_text({}), "(no key)");
}

TEST(PictureText, TitlesAggregations) {
  EXPECT_EQ(aggregation_title(counted("_", {})), "@: count");
  EXPECT_EQ(aggregation_title(counted("reads", {"execname", "pid"})), "@reads[execname, pid]: count");
}

TEST(PictureText, FormatsTimes) {
  EXPECT_EQ(time_text(1'700'000'000 * second + 999), "2023-11-14 22:13:20 UTC");
  EXPECT_EQ(duration_text(1'500 * 1'000'000LL), "1.50 s");
  EXPECT_EQ(duration_text(125 * second), "2 min 5 s");
}

}  // namespace
}  // namespace dscope::test
