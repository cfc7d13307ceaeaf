#include "metrics/run_metrics.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/metrics/metrics_fixture.h"

namespace dscope {
namespace {

using namespace test;

constexpr int64_t highest = std::numeric_limits<int64_t>::max();

std::string label_values(const MetricPoint& point) {
  std::string text;
  for (const MetricLabel& label : point.labels) text += label.name + "=" + label.value + " ";
  return text;
}

TEST(RunMetrics, CountsAreCounters) {
  RunModel model = model_of(counted("calls", {"execname", "pid"}),
                            {{.keys = {text_key("bash"), text_key("12")}, .value = number(7)},
                             {.keys = {text_key("cat\n"), text_key("13")}, .value = number(9)}});
  std::vector<MetricFamily> families = families_of(model);
  ASSERT_EQ(families.size(), 1U);
  EXPECT_EQ(families[0].name, "dscope_demo_calls");
  EXPECT_EQ(families[0].kind, MetricKind::Counter);
  EXPECT_EQ(families[0].created_ns, 5 * second);
  ASSERT_EQ(families[0].points.size(), 2U);
  EXPECT_EQ(label_values(families[0].points[0]), "execname=bash pid=12 ");
  EXPECT_EQ(label_values(families[0].points[1]), "execname=cat^J pid=13 ");
  EXPECT_EQ(families[0].points[1].value.text(), "9");
}

TEST(RunMetrics, ErrorsHaveNames) {
  RunModel model = model_of(counted("errors", {"errno"}), {{.keys = {text_key("2")}, .value = number(1)},
                                                           {.keys = {text_key("9999")}, .value = number(1)}});
  MetricFamily family = families_of(model)[0];
  EXPECT_EQ(label_values(family.points.at(0)), "errno=9999 ");
  EXPECT_EQ(label_values(family.points.at(1)), "errno=ENOENT ");
}

TEST(RunMetrics, ElementsThatDifferInStacksAreOnePoint) {
  RunModel model =
      model_of(counted("calls", {"execname", "stack()", "ustack()"}),
               {{.keys = {text_key("a"), stack_key({"k1"}, true), stack_key({"u2", "u1"}, false)}, .value = number(1)},
                {.keys = {text_key("a"), stack_key({"k2"}, true), stack_key({"u1"}, false)}, .value = number(5)}});
  MetricFamily family = families_of(model)[0];
  ASSERT_EQ(family.points.size(), 1U);
  EXPECT_EQ(label_values(family.points[0]), "execname=a ");
  EXPECT_EQ(family.points[0].value.text(), "6");
  EXPECT_EQ(family.points[0].stack, "u1;k2");
  EXPECT_EQ(family.points[0].stack_value.text(), "5");
}

TEST(RunMetrics, OverflowIsALabel) {
  RunModel model = model_of(counted("calls", {"pid"}), {{.keys = {text_key("1")}, .value = number(1)},
                                                        {.keys = {}, .value = number(100), .is_overflow = true}});
  MetricFamily family = families_of(model)[0];
  ASSERT_EQ(family.points.size(), 2U);
  EXPECT_EQ(label_values(family.points[0]), "overflow=true ");
  EXPECT_EQ(family.points[0].value.text(), "100");
}

TEST(RunMetrics, MinAndMaxAreGauges) {
  PictureAggregation smallest{.name = "a", .function = AggregationFunction::Min, .keys = {"stack()"}};
  RunModel model = model_of(smallest, {{.keys = {stack_key({"x"}, true)}, .value = number(-3)},
                                       {.keys = {stack_key({"y"}, true)}, .value = number(4)}});
  MetricFamily family = families_of(model)[0];
  EXPECT_EQ(family.kind, MetricKind::Gauge);
  ASSERT_EQ(family.points.size(), 1U);
  EXPECT_EQ(family.points[0].value.text(), "-3");
}

TEST(RunMetrics, AveragesHaveSumAndCount) {
  PictureAggregation average{.name = "a", .function = AggregationFunction::Avg, .keys = {"stack()"}};
  PictureValue one{.numbers = {5}, .buckets = {}, .parts = {.count = 2, .sum = 10}};
  PictureValue two{.numbers = {1}, .buckets = {}, .parts = {.count = 3, .sum = 3}};
  RunModel model = model_of(
      average, {{.keys = {stack_key({"x"}, true)}, .value = one}, {.keys = {stack_key({"y"}, true)}, .value = two}});
  MetricFamily family = families_of(model)[0];
  EXPECT_EQ(family.kind, MetricKind::Summary);
  EXPECT_EQ(family.points.at(0).count->text(), "5");
  EXPECT_EQ(family.points.at(0).sum->text(), "13");
}

TEST(RunMetrics, DeviationsHaveTheSumOfSquares) {
  PictureAggregation deviation{.name = "a", .function = AggregationFunction::Stddev};
  PictureValue value{.numbers = {5}, .buckets = {}, .parts = {.count = 2, .sum = 10, .sum_of_squares = 58}};
  std::vector<MetricFamily> families = families_of(model_of(deviation, {{.keys = {}, .value = value}}));
  ASSERT_EQ(families.size(), 2U);
  EXPECT_EQ(families[1].name, "dscope_demo_a_squares");
  EXPECT_EQ(families[1].points.at(0).value.text(), "58");
}

TEST(RunMetrics, PercentilesAreQuantiles) {
  PictureAggregation percentiles{.name = "a", .function = AggregationFunction::Percentile, .columns = {"p50", "p99.9"}};
  RunModel model = model_of(percentiles, {{.keys = {}, .value = {.numbers = {10, 90}}}});
  MetricPoint point = families_of(model)[0].points.at(0);
  ASSERT_EQ(point.quantiles.size(), 2U);
  EXPECT_DOUBLE_EQ(point.quantiles[1].first, 0.999);
  EXPECT_EQ(point.quantiles[1].second.text(), "90");
}

TEST(RunMetrics, QuantizeHasAllBounds) {
  PictureAggregation info{.name = "a", .function = AggregationFunction::Quantize};
  std::vector<MetricBucket> buckets = metric_buckets(info, {{.low = 0, .high = 1, .count = 3},
                                                            {.low = 8, .high = 16, .count = 4},
                                                            {.low = int64_t{1} << 62, .high = highest, .count = 5}});
  ASSERT_EQ(buckets.size(), 64U);
  EXPECT_EQ(buckets[0].bound, 0);
  EXPECT_EQ(buckets[0].count, 3U);
  EXPECT_EQ(buckets[4].bound, 15);
  EXPECT_EQ(buckets[4].count, 4U);
  EXPECT_EQ(buckets[62].bound, (int64_t{1} << 62) - 1);
  EXPECT_EQ(buckets[63].bound, MetricBucket::no_bound);
  EXPECT_EQ(buckets[63].count, 5U);
}

TEST(RunMetrics, NegativeValuesAddBounds) {
  PictureAggregation info{.name = "a", .function = AggregationFunction::Quantize};
  std::vector<MetricBucket> buckets = metric_buckets(info, {{.low = -15, .high = -7, .count = 2}});
  ASSERT_EQ(buckets.size(), 65U);
  EXPECT_EQ(buckets[0].bound, -8);
  EXPECT_EQ(buckets[0].count, 2U);
}

TEST(RunMetrics, LinearBoundsComeFromTheScript) {
  PictureAggregation info{.name = "a", .function = AggregationFunction::Lquantize};
  info.bucket_ends = {10, 20, 30, highest};
  std::vector<MetricBucket> buckets =
      metric_buckets(info, {{.low = 20, .high = 30, .count = 2}, {.low = 30, .high = highest, .count = 1}});
  ASSERT_EQ(buckets.size(), 4U);
  EXPECT_EQ(buckets[0].bound, 9);
  EXPECT_EQ(buckets[2].bound, 29);
  EXPECT_EQ(buckets[2].count, 2U);
  EXPECT_EQ(buckets[3].count, 1U);
}

TEST(RunMetrics, CountersGoOnAfterAReload) {
  PictureAggregation calls = counted("calls", {"pid"});
  RunModel before =
      model_of(calls, {{.keys = {text_key("1")}, .value = number(10)}, {.keys = {text_key("2")}, .value = number(3)}});
  RunModel now = model_of(calls, {{.keys = {text_key("1")}, .value = number(5)}});
  RunMetrics metrics{now.start(), "demo.d", {}};
  metrics.begin_with(families_of(before));
  MetricFamily family = metrics.families(now).at(0);
  ASSERT_EQ(family.points.size(), 2U);
  EXPECT_EQ(family.points[0].value.text(), "15");
  EXPECT_EQ(family.points[1].value.text(), "3");
}

TEST(RunMetrics, HistogramsGoOnAfterAReload) {
  PictureAggregation sizes{.name = "sizes", .function = AggregationFunction::Quantize};
  PictureValue value{.numbers = {}, .buckets = {{.low = 8, .high = 16, .count = 4}}};
  RunModel before = model_of(sizes, {{.keys = {}, .value = value}}),
           now = model_of(sizes, {{.keys = {}, .value = value}});
  RunMetrics metrics{now.start(), "demo.d", {}};
  metrics.begin_with(families_of(before));
  EXPECT_EQ(metrics.families(now).at(0).points.at(0).buckets.at(4).count, 8U);
}

}  // namespace
}  // namespace dscope
