// Metrics as OTLP in JSON, with the names of the protocol.
#include <nlohmann/json.hpp>

#include "metrics/otlp_metrics.h"

namespace dscope {

namespace {

// The members have the order of the protocol, for people.
using Json = nlohmann::ordered_json;

Json attribute(const std::string& name, const std::string& value) {
  return {{"key", name}, {"value", {{"stringValue", value}}}};
}

// Integers of 64 bits are strings in the JSON of protobuf.
std::string integer_text(uint64_t value) { return std::to_string(value); }

class JsonPoints {
 public:
  JsonPoints(const MetricFamily& family, int64_t time_ns) : family_(family), time_(std::to_string(time_ns)) {}

  Json all() const {
    Json points = Json::array();
    for (const MetricPoint& point : family_.points) {
      Json json;
      Json attributes = Json::array();
      for (const MetricLabel& label : point.labels) attributes.push_back(attribute(label.name, label.value));
      json["attributes"] = std::move(attributes);
      int64_t created = family_.created_of(point);
      if (created > 0 && family_.kind != MetricKind::Gauge) json["startTimeUnixNano"] = std::to_string(created);
      json["timeUnixNano"] = time_;
      if (family_.kind == MetricKind::Histogram) add_histogram(json, point);
      else if (family_.kind == MetricKind::Summary) add_summary(json, point);
      else add_value(json, point.value);
      add_exemplar(json, point);
      points.push_back(std::move(json));
    }
    return points;
  }

 private:
  void add_value(Json& json, const MetricNumber& number) const {
    MetricNumber scaled_number = number.times(family_.scale);
    if (auto integer = scaled_number.integer()) json["asInt"] = std::to_string(*integer);
    else json["asDouble"] = scaled_number.real();
  }

  void add_exemplar(Json& json, const MetricPoint& point) const {
    if (point.stack.empty()) return;
    Json exemplar = {{"timeUnixNano", time_}, {"filteredAttributes", Json::array({attribute("stack", point.stack)})}};
    add_value(exemplar, point.stack_value);
    json["exemplars"] = Json::array({std::move(exemplar)});
  }

  void add_histogram(Json& json, const MetricPoint& point) const {
    Json counts = Json::array(), bounds = Json::array();
    uint64_t count = 0;
    for (const MetricBucket& bucket : point.buckets) {
      counts.push_back(integer_text(bucket.count));
      count += bucket.count;
      if (bucket.bound != MetricBucket::no_bound)
        bounds.push_back(scaled(static_cast<double>(bucket.bound), family_.scale));
    }
    json["count"] = integer_text(count);
    json["bucketCounts"] = std::move(counts);
    json["explicitBounds"] = std::move(bounds);
  }

  void add_summary(Json& json, const MetricPoint& point) const {
    if (point.count) json["count"] = integer_text(static_cast<uint64_t>(point.count->real()));
    if (point.sum) json["sum"] = point.sum->times(family_.scale).real();
    Json quantiles = Json::array();
    for (const auto& [quantile, value] : point.quantiles)
      quantiles.push_back({{"quantile", quantile}, {"value", value.times(family_.scale).real()}});
    json["quantileValues"] = std::move(quantiles);
  }

  const MetricFamily& family_;
  std::string time_;
};

Json metric(const MetricFamily& family, int64_t time_ns) {
  Json json = {{"name", family.name}, {"description", family.help}, {"unit", ucum_unit(family.unit)}};
  Json data = {{"dataPoints", JsonPoints{family, time_ns}.all()}};
  if (family.kind == MetricKind::Counter || family.kind == MetricKind::Histogram)
    data["aggregationTemporality"] = otlp_cumulative;
  if (family.kind == MetricKind::Counter) data["isMonotonic"] = true;
  switch (family.kind) {
    case MetricKind::Counter: json["sum"] = std::move(data); break;
    case MetricKind::Gauge: json["gauge"] = std::move(data); break;
    case MetricKind::Histogram: json["histogram"] = std::move(data); break;
    case MetricKind::Summary: json["summary"] = std::move(data); break;
  }
  return json;
}

}  // namespace

std::string otlp_json(const std::vector<MetricFamily>& families, const OtlpResource& resource, int64_t time_ns) {
  Json attributes = Json::array(), metrics = Json::array();
  for (const auto& [name, value] : resource.attributes) attributes.push_back(attribute(name, value));
  for (const MetricFamily& family : families)
    if (!family.points.empty()) metrics.push_back(metric(family, time_ns));
  Json scope = {{"scope", {{"name", "dscope"}, {"version", resource.scope_version}}}, {"metrics", std::move(metrics)}};
  Json request = {{"resourceMetrics", Json::array({{{"resource", {{"attributes", std::move(attributes)}}},
                                                    {"scopeMetrics", Json::array({std::move(scope)})}}})}};
  return request.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dscope
