#include "metrics/family_names.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

PictureAggregation aggregation(std::string name, AggregationFunction function, std::vector<std::string> keys = {}) {
  return {.name = std::move(name), .function = function, .keys = std::move(keys)};
}

std::string name_of(std::string name, AggregationFunction function,
                    std::string_view script = "/usr/share/iolatency.d") {
  return names_of(aggregation(std::move(name), function), script, {}).name;
}

TEST(FamilyNames, FollowTheRules) {
  EXPECT_EQ(name_of("latency", AggregationFunction::Quantize), "dscope_iolatency_latency_nanoseconds");
  EXPECT_EQ(name_of("ns", AggregationFunction::Avg), "dscope_iolatency_nanoseconds");
  EXPECT_EQ(name_of("read_bytes", AggregationFunction::Sum), "dscope_iolatency_read_bytes");
  EXPECT_EQ(name_of("size", AggregationFunction::Quantize), "dscope_iolatency_size_bytes");
  EXPECT_EQ(name_of("latency", AggregationFunction::Count), "dscope_iolatency_latency");
  EXPECT_EQ(name_of("_", AggregationFunction::Count), "dscope_iolatency_count");
  EXPECT_EQ(name_of("_", AggregationFunction::Count, ""), "dscope_count");
  EXPECT_EQ(name_of("calls", AggregationFunction::Count, "/a/Sys-Calls 2.d"), "dscope_sys_calls_2_calls");
}

TEST(FamilyNames, LabelsAreNames) {
  auto labels = [](std::vector<std::string> keys) {
    return names_of(aggregation("a", AggregationFunction::Count, std::move(keys)), "", {}).labels;
  };
  EXPECT_EQ(labels({"execname", "args[0]->b_bcount", "key2"}),
            (std::vector<std::string>{"execname", "args_0_b_bcount", "key2"}));
  EXPECT_EQ(labels({"le", "pid", "pid", "1", "instance"}),
            (std::vector<std::string>{"key_le", "pid", "key_pid", "key_1", "key_instance"}));
  EXPECT_EQ(labels({"pid", "pid", "pid"}), (std::vector<std::string>{"pid", "key_pid", "pid_2"}));
}

TEST(MetricRules, ChangeNames) {
  auto rule = parse_metric_rule("@latency name=disk_time unit=seconds scale=1e-9 keys=disk,op help=Time of  disk I/O");
  ASSERT_TRUE(rule) << rule.error().message();
  FamilyNames names =
      names_of(aggregation("latency", AggregationFunction::Quantize, {"execname", "args[0]"}), "x.d", {*rule});
  EXPECT_EQ(names.name, "disk_time_seconds");
  EXPECT_EQ(names.unit, "seconds");
  EXPECT_EQ(names.labels, (std::vector<std::string>{"disk", "op"}));
  EXPECT_EQ(names.help, "Time of  disk I/O");
  EXPECT_EQ(names.scale, 1e-9);
  EXPECT_EQ(names_of(aggregation("other", AggregationFunction::Count), "x.d", {*rule}).name, "dscope_x_other");
}

TEST(MetricRules, MayRemoveTheUnit) {
  auto rule = parse_metric_rule("@latency unit=none");
  ASSERT_TRUE(rule);
  EXPECT_EQ(names_of(aggregation("latency", AggregationFunction::Sum), "x.d", {*rule}).name, "dscope_x_latency");
  EXPECT_EQ(parse_metric_rule("@").value().aggregation, "_");
}

TEST(MetricRules, MistakesAreErrors) {
  for (const char* text : {"", "latency unit=x", "@a unit", "@a color=red", "@a scale=x", "@a scale=0", "@a scale=-1",
                           "@a type=histogram", "@a scale=1x"})
    EXPECT_FALSE(parse_metric_rule(text)) << text;
}

}  // namespace
}  // namespace dscope
