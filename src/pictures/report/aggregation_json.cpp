#include "pictures/report/aggregation_json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "pictures/report/history_json.h"
#include "pictures/report/report_json.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

using nlohmann::json;

ReportedElements reported_elements(const AggregationModel& aggregation) {
  ReportedElements reported;
  for (uint32_t i = 0; i < aggregation.elements.size(); ++i) {
    bool is_reported = !aggregation.elements[i].is_removed;
    reported.positions.push_back(is_reported ? static_cast<int64_t>(reported.numbers.size()) : -1);
    if (is_reported) reported.numbers.push_back(i);
  }
  return reported;
}

// All elements have the same kinds of keys, unless the recorder cannot determine them.
KeyKind column_kind(const AggregationModel& aggregation, const ReportedElements& reported, size_t column) {
  KeyKind kind = KeyKind::Text;
  for (size_t i = 0; i < reported.numbers.size(); ++i) {
    const std::vector<PictureKey>& keys = aggregation.elements[reported.numbers[i]].keys;
    KeyKind own = column < keys.size() ? keys[column].kind : KeyKind::Text;
    if (i != 0 && own != kind) return KeyKind::Text;
    kind = own;
  }
  return kind;
}

std::string text_of(const PictureKey& key) {
  std::string text = visible_text(key.text);
  for (const PictureFrame& frame : key.frames) text += (text.empty() ? "" : ";") + visible_line(frame.text);
  return text;
}

json key_columns(const AggregationModel& aggregation, ReportedElements& reported, StackTrie& stacks) {
  static constexpr const char* kind_names[] = {"number", "text", "code", "stack"};  // by KeyKind
  json columns = json::array();
  for (size_t column = 0; column < aggregation.info.keys.size(); ++column) {
    KeyKind kind = column_kind(aggregation, reported, column);
    json values = json::array();
    for (uint32_t number : reported.numbers) {
      const std::vector<PictureKey>& keys = aggregation.elements[number].keys;
      PictureKey none;
      const PictureKey& key = column < keys.size() ? keys[column] : none;
      if (kind == KeyKind::Stack) values.push_back(stacks.add(key.frames));
      else values.push_back(text_of(key));
    }
    if (kind == KeyKind::Stack) reported.has_stacks = true;
    columns.push_back({{"name", visible_line(aggregation.info.keys[column])},
                       {"kind", kind_names[static_cast<size_t>(kind)]},
                       {"values", std::move(values)}});
  }
  return columns;
}

using Bounds = std::pair<int64_t, int64_t>;

// Appends buckets without values between two buckets, so that the axes of pictures have no jumps: powers of two for
// quantize(), equal steps for lquantize(). If that takes too many, one bucket fills the gap.
void append_gap(std::vector<Bounds>& filled, AggregationFunction function, const Bounds& next) {
  constexpr size_t max_filled = 512;
  auto [low, high] = filled.back();
  bool is_doubled = function == AggregationFunction::Quantize && low > 0;
  bool is_stepped = function == AggregationFunction::Lquantize && low != std::numeric_limits<int64_t>::min();
  int64_t step = is_stepped ? high - low : 0;
  while (filled.back().second < next.first && filled.size() < max_filled) {
    low = filled.back().second;
    if (is_doubled) high = low > std::numeric_limits<int64_t>::max() / 2 ? next.first : low * 2;
    else high = is_stepped && next.first - low > step ? low + step : next.first;
    filled.emplace_back(low, std::min(high, next.first));
  }
}

// All buckets of the aggregation in ascending order. Removed elements are part of the history.
std::vector<Bounds> bucket_bounds(const AggregationModel& aggregation) {
  std::vector<Bounds> bounds;
  for (const PictureElement& element : aggregation.elements)
    for (const PictureBucket& bucket : element.value.buckets) bounds.emplace_back(bucket.low, bucket.high);
  for (const HistoryInterval& interval : aggregation.history.intervals())
    for (const HistoryCell& cell : interval.cells) bounds.emplace_back(cell.low, cell.high);
  std::ranges::sort(bounds);
  bounds.erase(std::ranges::unique(bounds).begin(), bounds.end());
  std::vector<Bounds> filled;
  for (const Bounds& bucket : bounds) {
    if (!filled.empty() && filled.back().second < bucket.first) append_gap(filled, aggregation.info.function, bucket);
    filled.push_back(bucket);
  }
  return filled;
}

json buckets_json(const AggregationModel& aggregation, ReportedElements& reported) {
  json buckets = json::array();
  for (const auto& [low, high] : bucket_bounds(aggregation)) {
    reported.bucket_positions.emplace(low, buckets.size());
    buckets.push_back({exact_json(low), exact_json(high)});
  }
  return buckets;
}

json value_json(const PictureAggregation& info, const PictureValue& value, const ReportedElements& reported) {
  json numbers = json::array();
  for (int64_t number : value.numbers)
    numbers.push_back(info.is_unsigned ? exact_json(static_cast<uint64_t>(number)) : exact_json(number));
  for (const PictureBucket& bucket : value.buckets) {
    numbers.push_back(reported.bucket_positions.at(bucket.low));
    numbers.push_back(exact_json(bucket.count));
  }
  // Most functions have one number.
  bool is_single = !info.is_distribution() && info.columns.empty() && numbers.size() == 1;
  return is_single ? numbers.front() : numbers;
}

}  // namespace

json aggregation_json(const AggregationModel& aggregation, StackTrie& stacks, int64_t start_ns) {
  const PictureAggregation& info = aggregation.info;
  ReportedElements reported = reported_elements(aggregation);
  json document = {{"name", visible_line(info.name)},
                   {"function", row(info.function).name},
                   {"unsigned", info.is_unsigned},
                   {"additive", info.is_additive()},
                   {"distribution", info.is_distribution()},
                   {"columns", info.columns},
                   {"removed", aggregation.elements.size() - reported.numbers.size()},
                   {"count", reported.numbers.size()},
                   {"keys", key_columns(aggregation, reported, stacks)}};
  if (info.is_distribution()) document["buckets"] = buckets_json(aggregation, reported);
  json values = json::array();
  for (uint32_t number : reported.numbers)
    values.push_back(value_json(info, aggregation.elements[number].value, reported));
  document["values"] = std::move(values);
  document["history"] = history_json(aggregation, reported, start_ns);
  return document;
}

}  // namespace dscope
