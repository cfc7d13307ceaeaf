#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <protozero/pbf_reader.hpp>

#include "metrics/otlp_metrics.h"
#include "tests/unit/metrics/metrics_fixture.h"

namespace dscope {
namespace {

using namespace test;
using nlohmann::json;

std::string no_environment(const char*) { return {}; }

std::vector<MetricFamily> one_family(const MetricFamily& family) { return {family}; }

json decoded(const std::vector<MetricFamily>& families) {
  return json::parse(otlp_json(families, {.attributes = {{"host.name", "web-1"}}, .scope_version = "1"}, 7 * second));
}

json first_metric(const std::vector<MetricFamily>& families) {
  return decoded(families)["resourceMetrics"][0]["scopeMetrics"][0]["metrics"][0];
}

MetricFamily counter() {
  MetricFamily family{.name = "dscope_calls", .unit = "bytes", .help = "Calls"};
  family.kind = MetricKind::Counter;
  family.created_ns = 5 * second;
  family.points.push_back({.labels = {{.name = "execname", .value = "cat"}}, .value = MetricNumber::of_signed(9)});
  return family;
}

TEST(Otlp, CountersAreCumulativeSums) {
  json metric = first_metric(one_family(counter()));
  EXPECT_EQ(metric["name"], "dscope_calls");
  EXPECT_EQ(metric["unit"], "By");
  EXPECT_EQ(metric["sum"]["aggregationTemporality"], 2);
  EXPECT_EQ(metric["sum"]["isMonotonic"], true);
  json point = metric["sum"]["dataPoints"][0];
  EXPECT_EQ(point["asInt"], "9");
  EXPECT_EQ(point["startTimeUnixNano"], "5000000000");
  EXPECT_EQ(point["timeUnixNano"], "7000000000");
  EXPECT_EQ(point["attributes"], json::parse(R"([{"key": "execname", "value": {"stringValue": "cat"}}])"));
}

TEST(Otlp, NumbersBeyondSignedIntegersAreReal) {
  MetricFamily family = counter();
  family.points[0].value = MetricNumber::of_unsigned(~uint64_t{0});
  json point = first_metric(one_family(family))["sum"]["dataPoints"][0];
  EXPECT_FALSE(point.contains("asInt"));
  EXPECT_EQ(point["asDouble"], 18446744073709551615.0);
}

TEST(Otlp, PointsHaveTheirOwnStart) {
  MetricFamily family = counter();
  family.points[0].created_ns = 6 * second;
  EXPECT_EQ(first_metric(one_family(family))["sum"]["dataPoints"][0]["startTimeUnixNano"], "6000000000");
}

TEST(Otlp, HistogramsHaveOneMoreCountThanBounds) {
  MetricFamily family{.name = "time", .unit = "seconds"};
  family.kind = MetricKind::Histogram;
  family.scale = 1e-9;
  family.points.push_back({.buckets = {{.bound = 9, .count = 1}, {.bound = 19, .count = 2}, {.count = 4}}});
  json point = first_metric(one_family(family))["histogram"]["dataPoints"][0];
  EXPECT_EQ(point["count"], "7");
  EXPECT_EQ(point["bucketCounts"], json({"1", "2", "4"}));
  EXPECT_EQ(point["explicitBounds"], json({9e-9, 19e-9}));
}

TEST(Otlp, SummariesAndExemplars) {
  MetricFamily family{.name = "size"};
  family.kind = MetricKind::Summary;
  family.points.push_back({.quantiles = {{0.5, MetricNumber::of_signed(3)}}});
  family.points[0].count = MetricNumber::of_signed(2);
  family.points[0].sum = MetricNumber::of_signed(8);
  json point = first_metric(one_family(family))["summary"]["dataPoints"][0];
  EXPECT_EQ(point["count"], "2");
  EXPECT_EQ(point["sum"], 8.0);
  EXPECT_EQ(point["quantileValues"], json::parse(R"([{"quantile": 0.5, "value": 3.0}])"));
  MetricFamily stacks = counter();
  stacks.points[0].stack = "main;read";
  json exemplar = first_metric(one_family(stacks))["sum"]["dataPoints"][0]["exemplars"][0];
  EXPECT_EQ(exemplar["filteredAttributes"][0]["value"]["stringValue"], "main;read");
}

TEST(Otlp, ProtobufHasTheSameNumbers) {
  std::string bytes = otlp_protobuf(one_family(counter()), {.attributes = {}, .scope_version = "1"}, 7 * second);
  protozero::pbf_reader request{bytes};
  ASSERT_TRUE(request.next(1));
  protozero::pbf_reader resource = request.get_message();
  ASSERT_TRUE(resource.next(2));
  protozero::pbf_reader scope = resource.get_message();
  ASSERT_TRUE(scope.next(2));
  protozero::pbf_reader metric = scope.get_message();
  ASSERT_TRUE(metric.next(7));
  protozero::pbf_reader sum = metric.get_message();
  ASSERT_TRUE(sum.next(1));
  protozero::pbf_reader point = sum.get_message();
  ASSERT_TRUE(point.next(6));
  EXPECT_EQ(point.get_sfixed64(), 9);
}

TEST(Otlp, ResourcesFollowTheConventions) {
  OtlpResource resource = describe_resource("1.2", no_environment);
  auto value = [&](std::string_view name) {
    for (const auto& [key, text] : resource.attributes)
      if (key == name) return text;
    return std::string{};
  };
  EXPECT_EQ(value("service.name"), "dscope");
  EXPECT_EQ(value("service.version"), "1.2");
  EXPECT_EQ(value("os.type"), "linux");
  EXPECT_NE(value("host.name"), "");
  EXPECT_NE(value("host.arch"), "x86_64");
  resource = describe_resource("1.2", [](const char* name) -> std::string {
    if (std::string_view{name} == "OTEL_SERVICE_NAME") return "disks";
    return "k8s.node.name=node-7, service.name=other,note=a%2Cb%zz,broken";
  });
  EXPECT_EQ(value("service.name"), "disks");
  EXPECT_EQ(value("k8s.node.name"), "node-7");
  EXPECT_EQ(value("note"), "a,b%zz");
}

TEST(Otlp, UnitsAreThoseOfUcum) {
  EXPECT_EQ(ucum_unit("seconds"), "s");
  EXPECT_EQ(ucum_unit("nanoseconds"), "ns");
  EXPECT_EQ(ucum_unit("pages"), "pages");
}

}  // namespace
}  // namespace dscope
