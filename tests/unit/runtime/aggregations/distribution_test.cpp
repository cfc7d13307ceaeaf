// Tables of quantize(), lquantize(), llquantize() and the derived scalars (consumer-and-actions.md 5.2, 5.4, 5.9).
#include "runtime/aggregations/aggregation_value.h"
#include "tests/unit/runtime/output/output_fixture.h"

namespace dscope::test {
namespace {

const std::string header = "\n           value  ------------- Distribution ------------- count    \n";

std::string quantize(const std::map<int, int64_t>& counts, uint64_t normal = 1) {
  std::vector<int64_t> words(127);
  for (auto [bucket, count] : counts) words[static_cast<size_t>(bucket)] = count;
  std::string out;
  append_distribution(out, rendering_Quantize.lines({}, words), normal);
  return out;
}

AggregationPlan lquantize_plan(int64_t base, int64_t levels, int64_t step) {
  return {.function = AggregationFunction::Lquantize,
          .data_words = static_cast<uint32_t>(levels + 2),
          .parameters = {base, levels, step}};
}

AggregationPlan llquantize_plan(int64_t factor, int64_t low, int64_t high, int64_t steps) {
  int64_t bins = (high - low + 1) * (steps - steps / factor);
  return {.function = AggregationFunction::Llquantize,
          .data_words = static_cast<uint32_t>(2 * bins + 3),
          .parameters = {factor, low, high, steps}};
}

// counts by distance from the middle bin
std::string llquantize(const AggregationPlan& plan, const std::map<int, int64_t>& counts) {
  std::vector<int64_t> words(plan.data_words);
  for (auto [distance, count] : counts)
    words[static_cast<size_t>(static_cast<int>(plan.data_words / 2) + distance)] = count;
  std::string out;
  append_distribution(out, distribution_lines(plan, words), 1);
  return out;
}

TEST(Distribution, PrintsEmptyQuantize) {
  EXPECT_EQ(quantize({}), header +
                              "              -1 |                                         0        \n"
                              "               0 |                                         0        \n"
                              "               1 |                                         0        \n");
}

TEST(Distribution, QuantizePrintsFirstAndLastBuckets) {
  EXPECT_EQ(quantize({{0, 1}}), header +
                                    "-4611686018427387904 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                                    "-2305843009213693952 |                                         0        \n");
  EXPECT_EQ(quantize({{126, 1}}), header +
                                      "2305843009213693952 |                                         0        \n"
                                      "4611686018427387904 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
}

TEST(Distribution, QuantizePrintsNegativeCounts) {
  EXPECT_EQ(quantize({{64, -3}, {65, -1}}),
            header +
                "               0                                         | 0        \n"
                "               1           @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -3       \n"
                "               2                               @@@@@@@@@@| -1       \n"
                "               4                                         | 0        \n");
}

TEST(Distribution, NormalizationAffectsCountsNotBars) {
  EXPECT_EQ(quantize({{64, 30}, {65, 10}}, 10),
            header +
                "               0 |                                         0        \n"
                "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"
                "               2 |@@@@@@@@@@                               1        \n"
                "               4 |                                         0        \n");
}

TEST(Distribution, WideCountsAreNotTruncated) {
  EXPECT_NE(quantize({{64, 12345678901}}).find("@ 12345678901\n"), std::string::npos);
}

TEST(Distribution, LquantizePrintsInnerLevels) {
  AggregationPlan plan = lquantize_plan(0, 10, 10);
  std::vector<int64_t> words(12);
  std::string out;
  append_distribution(out, distribution_lines(plan, words), 1);
  EXPECT_EQ(out, header +
                     "             < 0 |                                         0        \n"
                     "               0 |                                         0        \n"
                     "              10 |                                         0        \n");
  words[5] = 2;
  out.clear();
  append_distribution(out, distribution_lines(plan, words), 1);
  EXPECT_EQ(out, header +
                     "              30 |                                         0        \n"
                     "              40 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
                     "              50 |                                         0        \n");
}

TEST(Distribution, LquantizeOverflowLabelIsTheLastBound) {
  // lquantize(v, 0, 10, 3): three levels, the last ends at 9.
  AggregationPlan plan = lquantize_plan(0, 3, 3);
  std::vector<int64_t> words{0, 0, 0, 0, 1};
  std::string out;
  append_distribution(out, distribution_lines(plan, words), 1);
  EXPECT_EQ(out, header +
                     "               6 |                                         0        \n"
                     "            >= 9 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
}

TEST(Distribution, PrintsEmptyLlquantize) {
  EXPECT_EQ(llquantize(llquantize_plan(10, 0, 5, 5), {}),
            header +
                "               0 |                                         0        \n"
                "               1 |                                         0        \n"
                "               2 |                                         0        \n");
}

TEST(Distribution, LlquantizePrintsBins) {
  // Bins 1 2 4 6 8 | 10 20 40 60 80 | 100 200 ...: v = 320 is the second of the third range.
  EXPECT_EQ(llquantize(llquantize_plan(10, 0, 5, 5), {{12, 1}}),
            header +
                "             100 |                                         0        \n"
                "             200 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                "             400 |                                         0        \n");
}

TEST(Distribution, LlquantizePrintsBothSignsAndOverflow) {
  AggregationPlan plan = llquantize_plan(2, 1, 2, 2);  // one bin per range: [2,4) [4,8)
  EXPECT_EQ(llquantize(plan, {{-3, 1}, {3, 1}}),
            header +
                "           <= -8 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
                "              -4 |                                         0        \n"
                "              -2 |                                         0        \n"
                "       abs() < 2 |                                         0        \n"
                "               2 |                                         0        \n"
                "               4 |                                         0        \n"
                "            >= 8 |@@@@@@@@@@@@@@@@@@@@                     1        \n");
}

TEST(Distribution, LlquantizeLabelsTheMiddleBin) {
  AggregationPlan plan = llquantize_plan(10, 1, 2, 10);
  EXPECT_EQ(llquantize(plan, {{1, 4}}), header +
                                            "            < 10 |                                         0        \n"
                                            "              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 4        \n"
                                            "              20 |                                         0        \n");
  EXPECT_EQ(llquantize(plan, {{0, 4}}), header +
                                            "             -10 |                                         0        \n"
                                            "      abs() < 10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 4        \n"
                                            "              10 |                                         0        \n");
}

TEST(Distribution, LlquantizeSkipsBinsWithoutIntegers) {
  // Steps of one half below 10: only every second bin holds an integer.
  AggregationPlan plan = llquantize_plan(10, 0, 1, 20);
  EXPECT_EQ(llquantize(plan, {{3, 1}, {7, 1}}),
            header +
                "               1 |                                         0        \n"
                "               2 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
                "               3 |                                         0        \n"
                "               4 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
                "               5 |                                         0        \n");
  EXPECT_EQ(llquantize(plan, {}), header +
                                      "               0 |                                         0        \n"
                                      "               1 |                                         0        \n"
                                      "               2 |                                         0        \n");
}

TEST(Distribution, WeighsBucketsForSorting) {
  std::vector<int64_t> words(127);
  words[66] = 3;  // 4
  words[62] = 1;  // -1
  words[63] = 9;
  EXPECT_EQ(rendering_Quantize.weight({}, words), (AggregationWeight{.weight = 11, .zero_count = 9}));
  // base -10, step 5: under -11, -10, -5, 0, 5, over 11
  EXPECT_EQ(weight_of(lquantize_plan(-10, 4, 5), std::vector<int64_t>{1, 0, 0, 7, 2, 3}),
            (AggregationWeight{.weight = -11 + 10 + 33, .zero_count = 7}));
  // -8 -4 -2 mid 2 4 8
  EXPECT_EQ(weight_of(llquantize_plan(2, 1, 2, 2), std::vector<int64_t>{1, 0, 2, 5, 0, 1, 3}),
            (AggregationWeight{.weight = -8 - 4 + 4 + 24, .zero_count = 5}));
}

TEST(Scalar, NormalizesAverage) {
  AggregationPlan avg{.function = AggregationFunction::Avg, .data_words = 2};
  EXPECT_EQ(scalar_value(avg, std::vector<int64_t>{3, -10}, 1), -3);
  EXPECT_EQ(scalar_value(avg, std::vector<int64_t>{0, 0}, 1), 0);
  EXPECT_EQ(scalar_value(avg, std::vector<int64_t>{3, 1000}, 10), 33);
  AggregationPlan sum{.function = AggregationFunction::Sum};
  EXPECT_EQ(scalar_value(sum, std::vector<int64_t>{-10}, 3), -3);
  EXPECT_EQ(scalar_value(sum, std::vector<int64_t>{INT64_MAX}, ~uint64_t{0}), 0);
}

TEST(Scalar, ComputesStandardDeviation) {
  AggregationPlan plan{.function = AggregationFunction::Stddev, .data_words = 4};
  auto stddev = [&](std::vector<int64_t> words) { return static_cast<uint64_t>(scalar_value(plan, words, 1)); };
  EXPECT_EQ(stddev({0, 0, 0, 0}), 0u);
  // 2 4 4 4 5 5 7 9: mean 5, deviation 2
  EXPECT_EQ(stddev({8, 40, 232, 0}), 2u);
  // -2^40 and 2^40: squares need the high word
  EXPECT_EQ(stddev({2, 0, 0, int64_t{1} << 17}), uint64_t{1} << 40);
  // INT64_MIN four times against mean INT64_MIN... total wraps, so only one: deviation 0
  EXPECT_EQ(stddev({1, INT64_MIN, 0, int64_t{1} << 62}), 0u);
}

}  // namespace
}  // namespace dscope::test
