#include "live/number_text.h"

#include <gtest/gtest.h>

#include "live/text_filter.h"

namespace dscope {
namespace {

TEST(NumberText, SeparatesThousands) {
  EXPECT_EQ(number_text(0, false, NumberUnits::Digits), "0");
  EXPECT_EQ(number_text(999, false, NumberUnits::Digits), "999");
  EXPECT_EQ(number_text(-1234567, false, NumberUnits::Digits), "-1,234,567");
  EXPECT_EQ(number_text(INT64_MIN, false, NumberUnits::Digits), "-9,223,372,036,854,775,808");
  EXPECT_EQ(number_text(-1, true, NumberUnits::Digits), "18,446,744,073,709,551,615");
}

TEST(NumberText, ShortensToThreeDigits) {
  EXPECT_EQ(number_text(999, false, NumberUnits::Short), "999");
  EXPECT_EQ(number_text(1234, false, NumberUnits::Short), "1.23k");
  EXPECT_EQ(number_text(999'999, false, NumberUnits::Short), "1.00M");
  EXPECT_EQ(number_text(-45'600'000, false, NumberUnits::Short), "-45.6M");
  EXPECT_EQ(number_text(850, false, NumberUnits::Time), "850ns");
  EXPECT_EQ(number_text(1'500'000, false, NumberUnits::Time), "1.50ms");
  EXPECT_EQ(number_text(120'000'000'000, false, NumberUnits::Time), "120s");
  EXPECT_EQ(number_text(1'200'000'000'000, false, NumberUnits::Time), "1.20ks");
  EXPECT_EQ(number_within(1'234'567'890, false, NumberUnits::Digits, 8), "1.23G");
}

TEST(NumberText, PrintsRatesAndTimes) {
  EXPECT_EQ(rate_text(0, NumberUnits::Digits), "0");
  EXPECT_EQ(rate_text(0.333, NumberUnits::Digits), "0.33");
  EXPECT_EQ(rate_text(42.06, NumberUnits::Digits), "42.1");
  EXPECT_EQ(rate_text(12345.6, NumberUnits::Digits), "12,346");
  EXPECT_EQ(rate_text(12345.6, NumberUnits::Short), "12.3k");
  EXPECT_EQ(share_text(0.3421), "34.2%");
  EXPECT_EQ(elapsed_text(3'723'000'000'000), "01:02:03");
}

TEST(NumberText, GuessesTimesByName) {
  auto units = [](const char* name, AggregationFunction function) {
    return default_units({.name = name, .function = function});
  };
  EXPECT_EQ(units("latency", AggregationFunction::Quantize), NumberUnits::Time);
  EXPECT_EQ(units("read_ns", AggregationFunction::Sum), NumberUnits::Time);
  EXPECT_EQ(units("time", AggregationFunction::Count), NumberUnits::Digits);
  EXPECT_EQ(units("bytes", AggregationFunction::Sum), NumberUnits::Digits);
  EXPECT_EQ(units("columns", AggregationFunction::Sum), NumberUnits::Digits);
}

TEST(TextFilter, MatchesSubstringsAndGlobs) {
  EXPECT_TRUE(TextFilter("read").matches("vfs_READ"));
  EXPECT_FALSE(TextFilter("READ").matches("vfs_read"));
  EXPECT_TRUE(TextFilter("vfs_*").matches("vfs_read"));
  EXPECT_FALSE(TextFilter("fs_*").matches("vfs_read"));
  EXPECT_TRUE(TextFilter("").matches("anything"));
  EXPECT_EQ(TextFilter("fs").find("vfs_read"), 1U);
}

}  // namespace
}  // namespace dscope
