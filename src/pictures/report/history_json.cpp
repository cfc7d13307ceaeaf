#include "pictures/report/history_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <utility>

#include "pictures/report/report_json.h"

namespace dscope {

namespace {

using nlohmann::json;

constexpr int64_t none = -1;

// Consecutive intervals that are one column of a picture.
struct TimeColumns {
  std::vector<size_t> column_of;  // by interval
  std::vector<int64_t> ends;      // by column, since 1970
};

TimeColumns columns_of(const std::vector<HistoryInterval>& intervals) {
  TimeColumns columns;
  int64_t begin = intervals.front().begin_ns;
  double length = static_cast<double>(intervals.back().end_ns - begin) / max_time_columns;
  size_t last_bin = 0;
  for (size_t i = 0; i < intervals.size(); ++i) {
    double middle =
        static_cast<double>(intervals[i].begin_ns - begin) / 2 + static_cast<double>(intervals[i].end_ns - begin) / 2;
    size_t bin = intervals.size() <= max_time_columns ? i : static_cast<size_t>(middle / length);
    if (i == 0 || bin != last_bin) columns.ends.emplace_back();
    last_bin = bin;
    columns.ends.back() = intervals[i].end_ns;
    columns.column_of.push_back(columns.ends.size() - 1);
  }
  return columns;
}

json lengths_of(int64_t begin, const std::vector<int64_t>& ends) {
  json lengths = json::array();
  for (int64_t end : ends) lengths.push_back(end - std::exchange(begin, end));
  return lengths;
}

int64_t size_of(const AggregationModel& aggregation, uint32_t element) {
  const PictureValue& value = aggregation.elements[element].value;
  int64_t size = value.numbers.empty() ? 0 : value.numbers.front();
  for (const PictureBucket& bucket : value.buckets) size += bucket.count;
  return size;
}

// The elements with the largest values, by number in the model.
std::vector<uint32_t> largest_elements(const AggregationModel& aggregation, const ReportedElements& reported) {
  std::vector<std::pair<int64_t, uint32_t>> sizes;
  for (uint32_t number : reported.numbers) sizes.emplace_back(size_of(aggregation, number), number);
  size_t count = std::min(max_history_elements, sizes.size());
  auto is_larger = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  std::ranges::partial_sort(sizes, sizes.begin() + static_cast<ptrdiff_t>(count), is_larger);
  std::vector<uint32_t> largest;
  for (size_t i = 0; i < count; ++i) largest.push_back(sizes[i].second);
  return largest;
}

int64_t wrapping_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

class Series {
 public:
  Series(const AggregationModel& aggregation, const ReportedElements& reported, size_t columns)
      : info_(aggregation.info), reported_(reported), numbers_(columns), buckets_(columns) {}

  void add(size_t column, const HistoryCell& cell) {
    if (info_.is_distribution()) {
      auto bucket = reported_.bucket_positions.find(cell.low);
      if (bucket != reported_.bucket_positions.end()) buckets_[column][bucket->second] += cell.amount;
      return;
    }
    std::optional<int64_t>& number = numbers_[column];
    // A column shows the last of several values that cannot be added.
    number = number && info_.is_additive() ? wrapping_sum(*number, cell.amount) : cell.amount;
  }

  json to_json() const {
    json columns = json::array();
    for (size_t i = 0; i < numbers_.size(); ++i) columns.push_back(column(i));
    return columns;
  }

 private:
  json column(size_t index) const {
    if (!info_.is_distribution()) return numbers_[index] ? number(*numbers_[index]) : json{};
    json cells = json::array();
    for (const auto& [bucket, count] : buckets_[index]) {
      cells.push_back(bucket);
      cells.push_back(exact_json(count));
    }
    return cells;
  }

  json number(int64_t value) const {
    return info_.is_unsigned ? exact_json(static_cast<uint64_t>(value)) : exact_json(value);
  }

  const PictureAggregation& info_;
  const ReportedElements& reported_;
  std::vector<std::optional<int64_t>> numbers_;     // by column
  std::vector<std::map<size_t, int64_t>> buckets_;  // by column
};

void add_columns(json& history, const AggregationModel& aggregation, const ReportedElements& reported) {
  const std::vector<HistoryInterval>& intervals = aggregation.history.intervals();
  TimeColumns columns = columns_of(intervals);
  history["ends"] = lengths_of(intervals.front().begin_ns, columns.ends);
  std::vector<uint32_t> largest;
  if (aggregation.history.has_elements()) largest = largest_elements(aggregation, reported);
  std::vector<int64_t> series_of(aggregation.elements.size(), none);
  std::vector<Series> series(largest.size(), {aggregation, reported, columns.ends.size()});
  Series total{aggregation, reported, columns.ends.size()};
  for (size_t i = 0; i < largest.size(); ++i) series_of[largest[i]] = static_cast<int64_t>(i);
  for (size_t i = 0; i < intervals.size(); ++i)
    for (const HistoryCell& cell : intervals[i].cells) {
      if (aggregation.info.is_additive()) total.add(columns.column_of[i], cell);
      int64_t own = cell.element == all_elements ? none : series_of[cell.element];
      if (own != none) series[static_cast<size_t>(own)].add(columns.column_of[i], cell);
    }
  history["total"] = aggregation.info.is_additive() ? total.to_json() : json{};
  history["elements"] = json::array();
  history["series"] = json::array();
  for (size_t i = 0; i < largest.size(); ++i) {
    history["elements"].push_back(reported.positions[largest[i]]);
    history["series"].push_back(series[i].to_json());
  }
}

// The amounts of some intervals by reported element.
std::map<int64_t, int64_t> amounts_of(const AggregationHistory& history, const ReportedElements& reported, size_t begin,
                                      size_t end) {
  std::map<int64_t, int64_t> amounts;
  for (size_t i = begin; i < end; ++i)
    for (const HistoryCell& cell : history.intervals()[i].cells)
      if (int64_t position = reported.positions[cell.element]; position != none)
        amounts[position] = wrapping_sum(amounts[position], cell.amount);
  return amounts;
}

size_t intervals_to_join(const AggregationHistory& history) {
  size_t cells = 0, joined = 1;
  for (const HistoryInterval& interval : history.intervals()) cells += interval.cells.size();
  // At worst no two intervals have an element in common, and joining saves nothing but the intervals.
  while (cells / joined > max_sample_cells && joined < history.intervals().size()) joined *= 2;
  return joined;
}

void add_samples(json& history, const AggregationModel& aggregation, const ReportedElements& reported) {
  const std::vector<HistoryInterval>& intervals = aggregation.history.intervals();
  size_t joined = intervals_to_join(aggregation.history), count = 0;
  std::vector<int64_t> ends;
  json cells = json::array();
  for (size_t begin = 0; begin < intervals.size(); begin += joined) {
    size_t end = std::min(begin + joined, intervals.size());
    json interval = json::array();
    for (const auto& [element, amount] : amounts_of(aggregation.history, reported, begin, end)) {
      interval.push_back(element);
      interval.push_back(exact_json(amount));
      ++count;
    }
    ends.push_back(intervals[end - 1].end_ns);
    cells.push_back(std::move(interval));
  }
  if (count > 2 * max_sample_cells) return;  // joining did not help
  history["samples"] = {
      {"joined", joined}, {"ends", lengths_of(intervals.front().begin_ns, ends)}, {"cells", std::move(cells)}};
}

}  // namespace

json history_json(const AggregationModel& aggregation, const ReportedElements& elements, int64_t start_ns) {
  const std::vector<HistoryInterval>& intervals = aggregation.history.intervals();
  if (intervals.empty()) return {};
  json history = {{"begin", intervals.front().begin_ns - start_ns}};
  add_columns(history, aggregation, elements);
  if (elements.has_stacks && aggregation.info.is_additive() && aggregation.history.has_elements())
    add_samples(history, aggregation, elements);
  return history;
}

}  // namespace dscope
