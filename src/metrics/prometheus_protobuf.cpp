#include "metrics/prometheus_protobuf.h"

#include <bit>
#include <iterator>
#include <limits>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

namespace dscope {

namespace {

using protozero::pbf_writer;

// Field numbers of metrics.proto of github.com/prometheus/client_model.
enum FamilyField : uint32_t { FamilyName = 1, FamilyHelp, FamilyType, FamilyMetric, FamilyUnit };
enum MetricField : uint32_t { Label = 1, Gauge, Counter, Summary, Histogram = 7 };
enum HistogramField : uint32_t {
  SampleCount = 1,
  SampleSum,
  Bucket,
  Schema = 5,
  ZeroThreshold,
  ZeroCount,
  NegativeSpan = 9,
  NegativeDelta,
  PositiveSpan = 12,
  PositiveDelta,
  HistogramCreated = 15
};
enum BucketField : uint32_t { CumulativeCount = 1, UpperBound, BucketExemplar };
enum CounterField : uint32_t { CounterValue = 1, CounterExemplar, CounterCreated };
enum ExemplarField : uint32_t { ExemplarLabel = 1, ExemplarValue };
enum SummaryField : uint32_t { SummaryCount = 1, SummarySum, Quantile, SummaryCreated };
enum MetricType : int32_t { CounterType = 0, GaugeType = 1, SummaryType = 2, HistogramType = 4 };

int32_t type_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::Counter: return CounterType;
    case MetricKind::Gauge: return GaugeType;
    case MetricKind::Histogram: return HistogramType;
    case MetricKind::Summary: break;
  }
  return SummaryType;
}

void add_label(pbf_writer& writer, uint32_t field, const std::string& name, const std::string& value) {
  pbf_writer label{writer, field};
  label.add_string(1, name);
  label.add_string(2, value);
}

void add_time(pbf_writer& writer, uint32_t field, int64_t time_ns) {
  constexpr int64_t second = 1'000'000'000;
  pbf_writer time{writer, field};
  time.add_int64(1, time_ns / second);
  time.add_int32(2, static_cast<int32_t>(time_ns % second));
}

void add_exemplar(pbf_writer& writer, uint32_t field, const MetricFamily& family, const MetricPoint& point) {
  if (point.stack.empty()) return;
  pbf_writer exemplar{writer, field};
  add_label(exemplar, ExemplarLabel, "stack", point.stack);
  exemplar.add_double(ExemplarValue, point.stack_value.times(family.scale).real());
}

// Buckets of one sign by their native index, in ascending order.
using NativeBuckets = std::vector<std::pair<int32_t, uint64_t>>;

// Spans of consecutive indexes, and the differences of their counts.
void add_native(pbf_writer& histogram, uint32_t span_field, uint32_t delta_field, const NativeBuckets& buckets) {
  std::vector<int64_t> deltas;
  int32_t next = 0;
  int64_t last = 0;
  for (size_t i = 0; i < buckets.size();) {
    size_t end = i + 1;
    while (end < buckets.size() && buckets[end].first == buckets[end - 1].first + 1) ++end;
    pbf_writer span{histogram, span_field};
    span.add_sint32(1, buckets[i].first - next);
    span.add_uint32(2, static_cast<uint32_t>(end - i));
    next = buckets[end - 1].first + 1;
    for (; i < end; ++i) {
      deltas.push_back(static_cast<int64_t>(buckets[i].second) - last);
      last = static_cast<int64_t>(buckets[i].second);
    }
  }
  for (int64_t delta : deltas) histogram.add_sint64(delta_field, delta);
}

void add_native_histogram(pbf_writer& histogram, const std::vector<MetricBucket>& buckets) {
  NativeBuckets negative, positive;
  uint64_t zeros = 0;
  for (const MetricBucket& bucket : buckets) {
    if (bucket.count == 0) continue;
    if (bucket.bound == 0) zeros = bucket.count;
    else if (bucket.bound == MetricBucket::no_bound) positive.emplace_back(63, bucket.count);
    else if (bucket.bound > 0) positive.emplace_back(std::bit_width(static_cast<uint64_t>(bucket.bound)), bucket.count);
    else
      negative.insert(negative.begin(), {std::bit_width(static_cast<uint64_t>(-(bucket.bound + 1)) + 1), bucket.count});
  }
  histogram.add_sint32(Schema, 0);
  histogram.add_double(ZeroThreshold, 0x1p-128);
  histogram.add_uint64(ZeroCount, zeros);
  add_native(histogram, NegativeSpan, NegativeDelta, negative);
  add_native(histogram, PositiveSpan, PositiveDelta, positive);
}

void add_histogram(pbf_writer& metric, const MetricFamily& family, const MetricPoint& point) {
  pbf_writer histogram{metric, Histogram};
  uint64_t count = 0;
  for (const MetricBucket& bucket : point.buckets) count += bucket.count;
  histogram.add_uint64(SampleCount, count);
  histogram.add_double(SampleSum, std::numeric_limits<double>::quiet_NaN());  // D does not keep it
  uint64_t sum = 0;
  for (const MetricBucket& bucket : point.buckets) {
    pbf_writer each{histogram, Bucket};
    sum += bucket.count;
    bool is_last = bucket.bound == MetricBucket::no_bound;
    each.add_uint64(CumulativeCount, sum);
    each.add_double(UpperBound, is_last ? std::numeric_limits<double>::infinity()
                                        : scaled(static_cast<double>(bucket.bound), family.scale));
    if (is_last) add_exemplar(each, BucketExemplar, family, point);
  }
  if (family.is_exponential && family.scale == 1) add_native_histogram(histogram, point.buckets);
  if (int64_t time = family.created_of(point); time != 0) add_time(histogram, HistogramCreated, time);
}

void add_summary(pbf_writer& metric, const MetricFamily& family, const MetricPoint& point) {
  pbf_writer summary{metric, Summary};
  if (point.count) summary.add_uint64(SummaryCount, static_cast<uint64_t>(point.count->real()));
  if (point.sum) summary.add_double(SummarySum, point.sum->times(family.scale).real());
  for (const auto& [quantile, value] : point.quantiles) {
    pbf_writer each{summary, Quantile};
    each.add_double(1, quantile);
    each.add_double(2, value.times(family.scale).real());
  }
  if (int64_t time = family.created_of(point); time != 0 && point.count) add_time(summary, SummaryCreated, time);
}

void add_metric(pbf_writer& writer, const MetricFamily& family, const MetricPoint& point) {
  pbf_writer metric{writer, FamilyMetric};
  for (const MetricLabel& label : point.labels) add_label(metric, Label, label.name, label.value);
  if (family.kind == MetricKind::Histogram) return add_histogram(metric, family, point);
  if (family.kind == MetricKind::Summary) return add_summary(metric, family, point);
  bool is_counter = family.kind == MetricKind::Counter;
  pbf_writer value{metric, is_counter ? uint32_t{Counter} : uint32_t{Gauge}};
  value.add_double(CounterValue, point.value.times(family.scale).real());
  if (!is_counter) return;
  add_exemplar(value, CounterExemplar, family, point);
  if (int64_t time = family.created_of(point); time != 0) add_time(value, CounterCreated, time);
}

}  // namespace

std::string prometheus_protobuf(const std::vector<MetricFamily>& families) {
  std::string out;
  for (const MetricFamily& family : families) {
    if (family.points.empty()) continue;
    std::string bytes;
    pbf_writer writer{bytes};
    writer.add_string(FamilyName, family.name + (family.kind == MetricKind::Counter ? "_total" : ""));
    writer.add_string(FamilyHelp, family.help);
    writer.add_enum(FamilyType, type_of(family.kind));
    for (const MetricPoint& point : family.points) add_metric(writer, family, point);
    if (!family.unit.empty()) writer.add_string(FamilyUnit, family.unit);
    protozero::write_varint(std::back_inserter(out), bytes.size());
    out += bytes;
  }
  return out;
}

}  // namespace dscope
