// Metrics as OTLP in protobuf.
#include <protozero/pbf_writer.hpp>

#include "metrics/otlp_metrics.h"

namespace dscope {

namespace {

using protozero::pbf_writer;

// Field numbers of opentelemetry/proto/metrics/v1/metrics.proto, common.proto and resource.proto.
namespace otlp {
enum RequestField : uint32_t { ResourceMetrics = 1 };
enum ResourceMetricsField : uint32_t { Resource = 1, ScopeMetrics };
enum ScopeMetricsField : uint32_t { Scope = 1, Metrics };
enum MetricField : uint32_t { Name = 1, Description, Unit, Gauge = 5, Sum = 7, Histogram = 9, Summary = 11 };
enum DataField : uint32_t { DataPoints = 1, Temporality, IsMonotonic };
enum NumberField : uint32_t { StartTime = 2, Time, AsDouble, Exemplars, AsInt, NumberAttributes };
enum HistogramField : uint32_t {
  Count = 4,
  SumOfValues,
  BucketCounts,
  ExplicitBounds,
  HistogramExemplars,
  HistogramAttributes
};
enum SummaryField : uint32_t { QuantileValues = 6, SummaryAttributes };
enum ExemplarField : uint32_t { ExemplarTime = 2, ExemplarDouble, ExemplarInt = 6, FilteredAttributes };
}  // namespace otlp

void add_attribute(pbf_writer& writer, uint32_t field, std::string_view name, std::string_view value) {
  pbf_writer attribute{writer, field};
  attribute.add_string(1, name.data(), name.size());
  pbf_writer any{attribute, 2};
  any.add_string(1, value.data(), value.size());
}

class ProtobufPoints {
 public:
  ProtobufPoints(const MetricFamily& family, int64_t time_ns)
      : family_(family), time_ns_(static_cast<uint64_t>(time_ns)) {}

  void add_all(pbf_writer& data) const {
    for (const MetricPoint& point : family_.points) {
      pbf_writer writer{data, otlp::DataPoints};
      if (family_.kind == MetricKind::Histogram) add_histogram(writer, point);
      else if (family_.kind == MetricKind::Summary) add_summary(writer, point);
      else add_number(writer, point);
    }
  }

 private:
  void add_times(pbf_writer& writer, const MetricPoint& point) const {
    int64_t created = family_.created_of(point);
    if (created > 0 && family_.kind != MetricKind::Gauge)
      writer.add_fixed64(otlp::StartTime, static_cast<uint64_t>(created));
    writer.add_fixed64(otlp::Time, time_ns_);
  }

  static void add_labels(pbf_writer& writer, uint32_t field, const MetricPoint& point) {
    for (const MetricLabel& label : point.labels) add_attribute(writer, field, label.name, label.value);
  }

  void add_value(pbf_writer& writer, uint32_t int_field, uint32_t double_field, const MetricNumber& number) const {
    MetricNumber scaled_number = number.times(family_.scale);
    if (auto integer = scaled_number.integer()) writer.add_sfixed64(int_field, *integer);
    else writer.add_double(double_field, scaled_number.real());
  }

  void add_exemplar(pbf_writer& writer, uint32_t field, const MetricPoint& point) const {
    if (point.stack.empty()) return;
    pbf_writer exemplar{writer, field};
    exemplar.add_fixed64(otlp::ExemplarTime, time_ns_);
    add_value(exemplar, otlp::ExemplarInt, otlp::ExemplarDouble, point.stack_value);
    add_attribute(exemplar, otlp::FilteredAttributes, "stack", point.stack);
  }

  void add_number(pbf_writer& writer, const MetricPoint& point) const {
    add_times(writer, point);
    add_value(writer, otlp::AsInt, otlp::AsDouble, point.value);
    add_exemplar(writer, otlp::Exemplars, point);
    add_labels(writer, otlp::NumberAttributes, point);
  }

  void add_histogram(pbf_writer& writer, const MetricPoint& point) const {
    add_times(writer, point);
    std::vector<uint64_t> counts;
    std::vector<double> bounds;
    uint64_t count = 0;
    for (const MetricBucket& bucket : point.buckets) {
      counts.push_back(bucket.count);
      count += bucket.count;
      if (bucket.bound != MetricBucket::no_bound)
        bounds.push_back(scaled(static_cast<double>(bucket.bound), family_.scale));
    }
    writer.add_fixed64(otlp::Count, count);
    writer.add_packed_fixed64(otlp::BucketCounts, counts.begin(), counts.end());
    writer.add_packed_double(otlp::ExplicitBounds, bounds.begin(), bounds.end());
    add_exemplar(writer, otlp::HistogramExemplars, point);
    add_labels(writer, otlp::HistogramAttributes, point);
  }

  void add_summary(pbf_writer& writer, const MetricPoint& point) const {
    add_times(writer, point);
    if (point.count) writer.add_fixed64(otlp::Count, static_cast<uint64_t>(point.count->real()));
    if (point.sum) writer.add_double(otlp::SumOfValues, point.sum->times(family_.scale).real());
    for (const auto& [quantile, value] : point.quantiles) {
      pbf_writer each{writer, otlp::QuantileValues};
      each.add_double(1, quantile);
      each.add_double(2, value.times(family_.scale).real());
    }
    add_labels(writer, otlp::SummaryAttributes, point);
  }

  const MetricFamily& family_;
  uint64_t time_ns_;
};

uint32_t data_field(MetricKind kind) {
  switch (kind) {
    case MetricKind::Counter: return otlp::Sum;
    case MetricKind::Gauge: return otlp::Gauge;
    case MetricKind::Histogram: return otlp::Histogram;
    case MetricKind::Summary: break;
  }
  return otlp::Summary;
}

void add_metric(pbf_writer& scope, const MetricFamily& family, int64_t time_ns) {
  pbf_writer metric{scope, otlp::Metrics};
  std::string_view unit = ucum_unit(family.unit);
  metric.add_string(otlp::Name, family.name);
  metric.add_string(otlp::Description, family.help);
  metric.add_string(otlp::Unit, unit.data(), unit.size());
  pbf_writer data{metric, data_field(family.kind)};
  ProtobufPoints{family, time_ns}.add_all(data);
  bool is_sum = family.kind == MetricKind::Counter;
  if (is_sum || family.kind == MetricKind::Histogram) data.add_enum(otlp::Temporality, otlp_cumulative);
  if (is_sum) data.add_bool(otlp::IsMonotonic, true);
}

}  // namespace

std::string otlp_protobuf(const std::vector<MetricFamily>& families, const OtlpResource& resource, int64_t time_ns) {
  std::string bytes;
  pbf_writer request{bytes};
  pbf_writer metrics{request, otlp::ResourceMetrics};
  {
    pbf_writer description{metrics, otlp::Resource};
    for (const auto& [name, value] : resource.attributes) add_attribute(description, 1, name, value);
  }
  pbf_writer scope{metrics, otlp::ScopeMetrics};
  {
    pbf_writer description{scope, otlp::Scope};
    description.add_string(1, "dscope");
    description.add_string(2, resource.scope_version);
  }
  for (const MetricFamily& family : families)
    if (!family.points.empty()) add_metric(scope, family, time_ns);
  scope.commit();
  metrics.commit();
  return bytes;
}

}  // namespace dscope
