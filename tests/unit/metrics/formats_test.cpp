#include <gtest/gtest.h>

#include <limits>
#include <protozero/pbf_reader.hpp>

#include "metrics/metric_format.h"
#include "metrics/prometheus_protobuf.h"
#include "metrics/prometheus_text.h"
#include "tests/unit/metrics/metrics_fixture.h"

namespace dscope {
namespace {

using namespace test;

RunModel calls() {
  return model_of(counted("calls", {"execname"}), {{.keys = {text_key("a\\\"b")}, .value = number(int64_t{1} << 60)}});
}

RunModel sizes() {
  PictureAggregation info{.name = "size", .function = AggregationFunction::Lquantize, .keys = {"ustack()"}};
  info.bucket_ends = {0, 10, std::numeric_limits<int64_t>::max()};
  PictureValue value{.numbers = {},
                     .buckets = {{.low = 0, .high = 10, .count = 2},
                                 {.low = 10, .high = std::numeric_limits<int64_t>::max(), .count = 3}}};
  return model_of(info, {{.keys = {stack_key({"inner", "outer"}, false)}, .value = value}});
}

TEST(PrometheusText, Counters) {
  EXPECT_EQ(prometheus_text(families_of(calls())),
            "# HELP dscope_demo_calls_total count() of @calls[execname]\n"
            "# TYPE dscope_demo_calls_total counter\n"
            "dscope_demo_calls_total{execname=\"a\\\\\\\"b\"} 1152921504606846976\n");
}

TEST(PrometheusText, Histograms) {
  EXPECT_EQ(prometheus_text(families_of(sizes())),
            "# HELP dscope_demo_size_bytes lquantize() of @size[ustack()]\n"
            "# TYPE dscope_demo_size_bytes histogram\n"
            "dscope_demo_size_bytes_bucket{le=\"-1\"} 0\n"
            "dscope_demo_size_bytes_bucket{le=\"9\"} 2\n"
            "dscope_demo_size_bytes_bucket{le=\"+Inf\"} 5\n"
            "dscope_demo_size_bytes_count 5\n");
}

TEST(OpenmetricsText, HasUnitsCreationTimesAndExemplars) {
  EXPECT_EQ(openmetrics_text(families_of(sizes())),
            "# HELP dscope_demo_size_bytes lquantize() of @size[ustack()]\n"
            "# TYPE dscope_demo_size_bytes histogram\n"
            "# UNIT dscope_demo_size_bytes bytes\n"
            "dscope_demo_size_bytes_bucket{le=\"-1.0\"} 0\n"
            "dscope_demo_size_bytes_bucket{le=\"9.0\"} 2\n"
            "dscope_demo_size_bytes_bucket{le=\"+Inf\"} 5 # {stack=\"outer;inner\"} 5\n"
            "dscope_demo_size_bytes_count 5\n"
            "dscope_demo_size_bytes_created 5.000\n"
            "# EOF\n");
}

TEST(OpenmetricsText, ExemplarsKeepTheInnermostFrames) {
  std::vector<std::string> frames;
  for (int i = 0; i < 100; ++i) frames.push_back("frame" + std::to_string(i));
  RunModel model = model_of(counted("c", {"ustack()"}), {{.keys = {stack_key(frames, false)}, .value = number(1)}});
  std::string text = openmetrics_text(families_of(model));
  size_t begin = text.find("{stack=\"") + 8;
  std::string stack = text.substr(begin, text.find('"', begin) - begin);
  EXPECT_LE(stack.size(), 123U);
  EXPECT_TRUE(stack.ends_with(";frame1;frame0")) << stack;
  EXPECT_TRUE(stack.starts_with("frame")) << stack;
}

TEST(PrometheusText, ScalesValuesAndBounds) {
  MetricRule rule{.aggregation = "size", .name = {}, .unit = "seconds", .keys = {}, .help = {}, .scale = 0.001};
  std::string text = prometheus_text(families_of(sizes(), {rule}));
  EXPECT_NE(text.find("dscope_demo_size_seconds_bucket{le=\"0.009\"} 2\n"), text.npos) << text;
}

// The first family of the protobuf format.
std::string first_message(const std::string& bytes) {
  const char* at = bytes.data();
  uint64_t size = protozero::decode_varint(&at, bytes.data() + bytes.size());
  return {at, size};
}

TEST(PrometheusProtobuf, QuantizeIsANativeHistogram) {
  PictureAggregation info{.name = "n", .function = AggregationFunction::Quantize};
  PictureValue value{.numbers = {},
                     .buckets = {{.low = 0, .high = 1, .count = 7},
                                 {.low = 1, .high = 2, .count = 3},
                                 {.low = 2, .high = 4, .count = 5},
                                 {.low = 1024, .high = 2048, .count = 2}}};
  std::string message = first_message(prometheus_protobuf(families_of(model_of(info, {{.keys = {}, .value = value}}))));
  protozero::pbf_reader family{message};
  ASSERT_TRUE(family.next(4));
  protozero::pbf_reader metric = family.get_message();
  ASSERT_TRUE(metric.next(7));
  protozero::pbf_reader histogram = metric.get_message();
  std::vector<std::pair<int32_t, uint32_t>> spans;
  std::vector<int64_t> deltas;
  uint64_t count = 0, zeros = 0, classic = 0;
  while (histogram.next()) {
    switch (histogram.tag()) {
      case 1: count = histogram.get_uint64(); break;
      case 3: ++classic, histogram.skip(); break;
      case 7: zeros = histogram.get_uint64(); break;
      case 12: {
        protozero::pbf_reader span = histogram.get_message();
        ASSERT_TRUE(span.next(1));
        int32_t offset = span.get_sint32();
        ASSERT_TRUE(span.next(2));
        spans.emplace_back(offset, span.get_uint32());
        break;
      }
      case 13: deltas.push_back(histogram.get_sint64()); break;
      default: histogram.skip();
    }
  }
  EXPECT_EQ(count, 17U);
  EXPECT_EQ(zeros, 7U);
  EXPECT_EQ(classic, 64U);
  // 1 is in (1, 2] as 2, 2 and 3 in (2, 4] as 3 and 4, 1024 to 2047 in (1024, 2048].
  EXPECT_EQ(spans, (std::vector<std::pair<int32_t, uint32_t>>{{1, 2}, {8, 1}}));
  EXPECT_EQ(deltas, (std::vector<int64_t>{3, 2, -3}));
}

TEST(MetricFormat, IsChosenByAccept) {
  auto type = [](std::string_view accept) { return std::string_view{accepted_format(accept).content_type}; };
  EXPECT_TRUE(type("").starts_with("text/plain; version=0.0.4"));
  EXPECT_TRUE(type("text/html,*/*;q=0.8").starts_with("text/plain; version=0.0.4"));
  EXPECT_TRUE(
      type("application/openmetrics-text;version=1.0.0,text/plain;q=0.5").starts_with("application/openmetrics"));
  EXPECT_TRUE(type("application/openmetrics-text;q=0.1, text/plain;q=0.5").starts_with("text/plain"));
  EXPECT_TRUE(type("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.8,"
                   "text/plain;q=0.5")
                  .starts_with("application/vnd.google.protobuf"));
  EXPECT_TRUE(type("application/vnd.google.protobuf;proto=other,text/plain;q=0.5").starts_with("text/plain"));
}

}  // namespace
}  // namespace dscope
