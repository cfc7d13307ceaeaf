// Glob patterns of probe descriptions.
#include "support/text/glob.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

TEST(Glob, MatchesWholeNames) {
  EXPECT_TRUE(glob_matches("read", "read"));
  EXPECT_FALSE(glob_matches("read", "readv"));
  EXPECT_TRUE(glob_matches("read*", "readv"));
  EXPECT_TRUE(glob_matches("*ea*", "read"));
  EXPECT_TRUE(glob_matches("r?ad", "read"));
  EXPECT_FALSE(glob_matches("r?ad", "rad"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "x"));
}

TEST(Glob, MatchesSetsRangesAndEscapes) {
  EXPECT_TRUE(glob_matches("tick-[0-9]", "tick-5"));
  EXPECT_FALSE(glob_matches("tick-[!0-9]", "tick-5"));
  EXPECT_TRUE(glob_matches("a\\*b", "a*b"));
  EXPECT_FALSE(glob_matches("a\\*b", "axb"));
  EXPECT_TRUE(glob_matches("a[b", "a[b"));
}

TEST(Glob, ManyStarsStayFast) {
  EXPECT_FALSE(glob_matches(std::string(40, '*') + "b", std::string(5000, 'a')));
  EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*a*a*b", std::string(3000, 'a')));
}

TEST(Glob, EveryMatchStartsWithThePrefix) {
  EXPECT_EQ(glob_prefix("tick-*"), "tick-");
  EXPECT_EQ(glob_prefix("read"), "read");
  EXPECT_EQ(glob_prefix("*x"), "");
  EXPECT_FALSE(is_glob("read"));
  EXPECT_TRUE(is_glob("re?d"));
}

}  // namespace
}  // namespace dscope
