#include "metrics/run_metrics.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "catalog/number_names.h"
#include "metrics/family_sum.h"
#include "pictures/element_merge.h"

namespace dscope {

namespace {

constexpr int64_t lowest = std::numeric_limits<int64_t>::min(), highest = std::numeric_limits<int64_t>::max();

// The bounds of all buckets of a function, so that histograms of several machines have the same ones.
std::vector<int64_t> all_bounds(const PictureAggregation& info) {
  if (info.function != AggregationFunction::Quantize) return info.bucket_ends;
  std::vector<int64_t> ends = {1};
  for (int bit = 1; bit < 63; ++bit) ends.push_back(int64_t{1} << bit);
  return ends;
}

// A group of elements that are one point.
struct Group {
  PictureValue value;
  const PictureElement* largest = nullptr;  // by the number or the count of its distribution
  int64_t largest_part = lowest;
  int64_t created_ns = 0;  // of the oldest element
};

int64_t part_of(const PictureValue& value) {
  if (!value.numbers.empty()) return value.numbers.front();
  int64_t count = 0;
  for (const PictureBucket& bucket : value.buckets) count += bucket.count;
  return count;
}

// Error numbers are names, "ENOENT", as %s of printf() prints them.
std::string value_of_label(const std::string& key, const std::string& text) {
  if (key == "errno") {
    for (const NumberName& each : names_of(NumberGroup::Error))
      if (std::to_string(each.value) == text) return std::string{each.name};
  }
  return label_text(text);
}

std::vector<MetricLabel> labels_of(const PictureElement& element, const PictureAggregation& info,
                                   const FamilyNames& names) {
  std::vector<MetricLabel> labels;
  if (element.is_overflow) labels.push_back({.name = "overflow", .value = "true"});
  for (size_t i = 0; i < element.keys.size() && i < names.labels.size(); ++i)
    if (element.keys[i].kind != KeyKind::Stack)
      labels.push_back({.name = names.labels[i], .value = value_of_label(info.keys[i], element.keys[i].text)});
  return labels;
}

// The frames of all stacks, outermost first: a process calls the kernel.
std::string stack_of(const PictureElement& element) {
  std::string text;
  for (bool is_kernel : {false, true})
    for (const PictureKey& key : element.keys) {
      if (key.kind != KeyKind::Stack || key.frames.empty() || key.frames.front().is_kernel != is_kernel) continue;
      for (auto frame = key.frames.rbegin(); frame != key.frames.rend(); ++frame)
        text += (text.empty() ? "" : ";") + label_text(frame->text);
    }
  return text;
}

std::map<std::vector<MetricLabel>, Group> groups_of(const AggregationModel& aggregation, const FamilyNames& names) {
  std::map<std::vector<MetricLabel>, Group> groups;
  for (const PictureElement& element : aggregation.elements) {
    if (element.is_removed) continue;
    auto [found, is_new] = groups.try_emplace(labels_of(element, aggregation.info, names));
    Group& group = found->second;
    group.created_ns = is_new ? element.created_ns : std::min(group.created_ns, element.created_ns);
    if (!is_new && !can_merge(aggregation.info.function)) continue;
    merge_value(aggregation.info.function, group.value, element.value);
    if (int64_t part = part_of(element.value); part > group.largest_part || group.largest == nullptr) {
      group.largest = &element;
      group.largest_part = part;
    }
  }
  return groups;
}

MetricKind kind_of(AggregationFunction function, bool is_gauge) {
  switch (function) {
    case AggregationFunction::Count: return MetricKind::Counter;
    case AggregationFunction::Sum: return is_gauge ? MetricKind::Gauge : MetricKind::Counter;
    case AggregationFunction::Min:
    case AggregationFunction::Max: return MetricKind::Gauge;
    case AggregationFunction::Avg:
    case AggregationFunction::Stddev:
    case AggregationFunction::Percentile: return MetricKind::Summary;
    case AggregationFunction::Quantize:
    case AggregationFunction::Lquantize:
    case AggregationFunction::Llquantize: break;
  }
  return MetricKind::Histogram;
}

// "p99.9" of percentile(): 0.999.
double quantile_of(std::string_view column) {
  return std::strtod(std::string{column.substr(1)}.c_str(), nullptr) / 100;
}

void set_value(MetricPoint& point, MetricKind kind, const PictureAggregation& info, const PictureValue& value) {
  auto number = [&](int64_t bits) {
    return info.is_unsigned ? MetricNumber::of_unsigned(static_cast<uint64_t>(bits)) : MetricNumber::of_signed(bits);
  };
  if (kind == MetricKind::Histogram) {
    point.buckets = metric_buckets(info, value.buckets);
  } else if (info.function == AggregationFunction::Percentile) {
    for (size_t i = 0; i < info.columns.size() && i < value.numbers.size(); ++i)
      point.quantiles.emplace_back(quantile_of(info.columns[i]), number(value.numbers[i]));
  } else if (kind == MetricKind::Summary) {
    point.count = MetricNumber::of_signed(value.parts.count);
    point.sum = MetricNumber::of_signed(value.parts.sum);
  } else if (!value.numbers.empty()) {
    point.value = number(value.numbers.front());
  }
}

MetricFamily family_of(const AggregationModel& aggregation, const FamilyNames& names, int64_t start_ns) {
  const PictureAggregation& info = aggregation.info;
  MetricFamily family{.name = names.name, .unit = names.unit, .help = names.help};
  family.kind = kind_of(info.function, names.is_gauge);
  family.scale = names.scale;
  family.is_exponential = info.function == AggregationFunction::Quantize;
  family.created_ns = start_ns;
  for (const auto& [labels, group] : groups_of(aggregation, names)) {
    MetricPoint& point = family.points.emplace_back(MetricPoint{.labels = labels});
    point.created_ns = group.created_ns;
    set_value(point, family.kind, info, group.value);
    point.stack = stack_of(*group.largest);
    if (!point.stack.empty()) point.stack_value = MetricNumber::of_signed(group.largest_part);
  }
  return family;
}

std::string squares_name(const FamilyNames& names) { return names.name + "_squares"; }

// The sums of squares of stddev().
MetricFamily family_of_squares(const AggregationModel& aggregation, const FamilyNames& names, int64_t start_ns) {
  MetricFamily family{.name = squares_name(names), .unit = {}, .help = names.help + ", the sum of the squares"};
  family.kind = MetricKind::Counter;
  family.scale = names.scale * names.scale;
  family.created_ns = start_ns;
  for (const auto& [labels, group] : groups_of(aggregation, names)) {
    MetricPoint& point = family.points.emplace_back(MetricPoint{.labels = labels});
    point.created_ns = group.created_ns;
    point.value = MetricNumber::of_real(group.value.parts.sum_of_squares);
  }
  return family;
}

}  // namespace

std::vector<MetricBucket> metric_buckets(const PictureAggregation& info, const std::vector<PictureBucket>& buckets) {
  std::vector<MetricBucket> result;
  for (int64_t end : all_bounds(info))
    if (end != highest) result.push_back({.bound = end - 1, .count = 0});
  result.push_back({});
  for (const PictureBucket& bucket : buckets) {
    // quantize() of signed values: bounds below zero only where there are values, which keeps others smaller.
    int64_t bound = bucket.high == highest ? MetricBucket::no_bound : bucket.high - 1;
    auto place = std::ranges::lower_bound(result, bound, {}, &MetricBucket::bound);
    if (place == result.end() || place->bound != bound) place = result.insert(place, {.bound = bound, .count = 0});
    place->count += static_cast<uint64_t>(bucket.count);
  }
  return result;
}

void RunMetrics::begin_with(const RunMetrics& earlier, const RunModel& model, const std::vector<bool>& continued) {
  earlier_.clear();
  auto is_continued = [&](const MetricFamily& family) {
    for (size_t i = 0; i < names_.size() && i < continued.size(); ++i)
      if (continued[i] && (family.name == names_[i].name || family.name == squares_name(names_[i]))) return true;
    return false;
  };
  for (MetricFamily& family : earlier.families(model))
    if (!is_continued(family)) earlier_.push_back(std::move(family));
  for (const MetricFamily& family : earlier.earlier_)
    if (is_continued(family)) earlier_.push_back(family);
}

void RunMetrics::forget_earlier_points(const RunModel& model) {
  std::vector<MetricFamily> earlier = std::exchange(earlier_, {});
  for (const MetricFamily& own : families(model)) {
    auto same = std::ranges::find(earlier, own.name, &MetricFamily::name);
    if (same == earlier.end()) continue;
    std::erase_if(same->points, [&](const MetricPoint& point) {
      return std::ranges::find(own.points, point.labels, &MetricPoint::labels) == own.points.end();
    });
  }
  earlier_ = std::move(earlier);
}

RunMetrics::RunMetrics(const RunStart& start, std::string_view script, const std::vector<MetricRule>& rules) {
  for (const PictureAggregation& info : start.aggregations) names_.push_back(names_of(info, script, rules));
}

std::vector<MetricFamily> RunMetrics::families(const RunModel& model) const {
  std::vector<MetricFamily> families;
  for (size_t i = 0; i < names_.size(); ++i) {
    const AggregationModel& aggregation = model.aggregations()[i];
    families.push_back(family_of(aggregation, names_[i], model.start().start_ns));
    if (aggregation.info.function == AggregationFunction::Stddev)
      families.push_back(family_of_squares(aggregation, names_[i], model.start().start_ns));
  }
  for (MetricFamily& family : families) add_earlier(family, earlier_);
  return families;
}

}  // namespace dscope
