#include "live/element_table.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace dscope {

std::string key_line(const PictureKey& key) {
  if (key.kind != KeyKind::Stack) return key.text;
  constexpr size_t max_frames = 12;
  std::string line;
  for (size_t i = 0; i < std::min(key.frames.size(), max_frames); ++i) {
    if (i != 0) line += " < ";
    line += key.frames[i].text;
  }
  return line;
}

ElementTable::ElementTable(const PictureAggregation& info)
    : key_count_(info.keys.size()),
      is_distribution_(info.is_distribution()),
      is_additive_(info.is_additive()),
      is_unsigned_(info.is_unsigned),
      sort_column_(info.keys.size()) {
  for (size_t i = 0; i < info.keys.size(); ++i)
    columns_.push_back({.kind = ElementColumn::Kind::Key, .index = i, .heading = info.keys[i]});
  if (info.columns.empty()) {
    std::string heading = is_distribution_ ? "count" : std::string(row(info.function).name);
    columns_.push_back({.kind = ElementColumn::Kind::Value, .index = 0, .heading = heading});
  }
  for (size_t i = 0; i < info.columns.size(); ++i)
    columns_.push_back({.kind = ElementColumn::Kind::Value, .index = i, .heading = info.columns[i]});
  if (is_additive_) columns_.push_back({.kind = ElementColumn::Kind::Rate, .index = 0, .heading = "rate/s"});
}

void ElementTable::sort_by(size_t column, bool is_ascending) {
  sort_column_ = std::min(column, columns_.size() - 1);
  is_ascending_ = is_ascending;
  is_stale_ = true;
}

void ElementTable::set_filter(TextFilter filter) {
  filter_ = std::move(filter);
  matches_.clear();
  is_stale_ = true;
}

int64_t ElementTable::number(const AggregationModel& model, uint32_t element, size_t index) const {
  if (is_distribution_) return counts_[element];
  const std::vector<int64_t>& numbers = model.elements[element].value.numbers;
  return index < numbers.size() ? numbers[index] : 0;
}

std::optional<double> ElementTable::rate(uint32_t element) const {
  if (!has_rates_) return std::nullopt;
  return rates_[element];
}

std::optional<double> ElementTable::total_rate() const {
  if (!is_additive_) return std::nullopt;
  return total_rate_;
}

double ElementTable::share(const AggregationModel& model, uint32_t element) const {
  if (total_ <= 0) return 0;
  int64_t value = number(model, element, 0);
  return (is_unsigned_ ? static_cast<double>(static_cast<uint64_t>(value)) : static_cast<double>(value)) / total_;
}

void ElementTable::append_new(const AggregationModel& model) {
  for (size_t i = key_count_ == 0 ? 0 : key_texts_.size() / key_count_; i < model.elements.size(); ++i)
    for (size_t key = 0; key < key_count_; ++key)
      key_texts_.push_back(key < model.elements[i].keys.size() ? key_line(model.elements[i].keys[key]) : "");
  for (size_t i = matches_.size(); i < model.elements.size(); ++i) {
    bool is_match = filter_.is_empty();
    for (size_t key = 0; key < key_count_ && !is_match; ++key)
      is_match = filter_.matches(key_text(static_cast<uint32_t>(i), key));
    matches_.push_back(is_match);
  }
}

void ElementTable::count_distributions(const AggregationModel& model) {
  if (!is_distribution_) return;
  counts_.assign(model.elements.size(), 0);
  for (size_t i = 0; i < model.elements.size(); ++i)
    for (const PictureBucket& bucket : model.elements[i].value.buckets) counts_[i] += bucket.count;
}

void ElementTable::measure_rates(const AggregationModel& model) {
  const std::vector<HistoryInterval>& intervals = model.history.intervals();
  has_rates_ = is_additive_ && model.history.has_elements();
  rates_.assign(model.elements.size(), 0);
  total_rate_ = 0;
  if (!is_additive_ || intervals.empty()) return;
  int64_t end_ns = intervals.back().end_ns, begin_ns = end_ns;
  for (auto interval = intervals.rbegin(); interval != intervals.rend(); ++interval) {
    if (begin_ns != end_ns && end_ns - interval->begin_ns > rate_window_ns) break;
    begin_ns = interval->begin_ns;
    for (const HistoryCell& cell : interval->cells) {
      total_rate_ += static_cast<double>(cell.amount);
      if (cell.element < rates_.size()) rates_[cell.element] += static_cast<double>(cell.amount);
    }
  }
  double seconds = static_cast<double>(end_ns - begin_ns) / 1e9;
  if (seconds <= 0) return;
  total_rate_ /= seconds;
  for (double& rate : rates_) rate /= seconds;
}

int64_t ElementTable::sort_number(const AggregationModel& model, uint32_t element) const {
  const ElementColumn& column = columns_[sort_column_];
  switch (column.kind) {
    case ElementColumn::Kind::Key: {
      const std::vector<PictureKey>& keys = model.elements[element].keys;
      bool is_number = column.index < keys.size() && keys[column.index].kind == KeyKind::Number;
      return is_number ? std::strtoll(key_text(element, column.index).c_str(), nullptr, 0) : 0;
    }
    case ElementColumn::Kind::Value: {
      int64_t value = number(model, element, column.index);
      // Unsigned numbers in the order of signed ones.
      return is_unsigned_ ? static_cast<int64_t>(static_cast<uint64_t>(value) ^ (uint64_t{1} << 63)) : value;
    }
    case ElementColumn::Kind::Rate: return static_cast<int64_t>(rates_[element] * 1000);
  }
  return 0;
}

void ElementTable::sort(const AggregationModel& model) {
  std::vector<std::pair<int64_t, uint32_t>> keyed;
  keyed.reserve(model.elements.size());
  alive_count_ = 0;
  total_ = largest_ = 0;
  for (uint32_t i = 0; i < model.elements.size(); ++i) {
    if (model.elements[i].is_removed) continue;
    ++alive_count_;
    int64_t value = number(model, i, 0);
    double amount = is_unsigned_ ? static_cast<double>(static_cast<uint64_t>(value)) : static_cast<double>(value);
    total_ += amount;
    largest_ = std::max(largest_, amount);
    if (matches_[i]) keyed.emplace_back(sort_number(model, i), i);
  }
  const ElementColumn& column = columns_[sort_column_];
  bool is_text = column.kind == ElementColumn::Kind::Key;
  // Equal elements keep the order in which they appeared, so that rows do not jump.
  auto is_before = [&](const std::pair<int64_t, uint32_t>& a, const std::pair<int64_t, uint32_t>& b) {
    if (a.first != b.first) return is_ascending_ ? a.first < b.first : a.first > b.first;
    if (is_text)
      if (int order = key_text(a.second, column.index).compare(key_text(b.second, column.index)); order != 0)
        return is_ascending_ ? order < 0 : order > 0;
    return a.second < b.second;
  };
  std::ranges::sort(keyed, is_before);
  order_.clear();
  for (const auto& [number, element] : keyed) order_.push_back(element);
}

void ElementTable::update(const AggregationModel& model) {
  const std::vector<HistoryInterval>& intervals = model.history.intervals();
  int64_t end_ns = intervals.empty() ? 0 : intervals.back().end_ns;
  bool is_changed = end_ns != updated_ns_ || rates_.size() != model.elements.size();
  if (!is_changed && !is_stale_) return;
  append_new(model);
  if (is_changed) {
    count_distributions(model);
    measure_rates(model);
  }
  sort(model);
  updated_ns_ = end_ns;
  is_stale_ = false;
}

std::vector<double> ElementTable::trend(const AggregationModel& model, uint32_t element, size_t count) const {
  const std::vector<HistoryInterval>& intervals = model.history.intervals();
  size_t first = intervals.size() - std::min(intervals.size(), count);
  std::vector<double> values;
  double last = 0;
  for (size_t i = first; i < intervals.size(); ++i) {
    const HistoryInterval& interval = intervals[i];
    auto cell = std::ranges::lower_bound(interval.cells, element, {}, &HistoryCell::element);
    if (is_additive_) last = 0;
    for (; cell != interval.cells.end() && cell->element == element; ++cell)
      last = static_cast<double>(cell->amount) + (is_additive_ ? last : 0);
    double seconds = static_cast<double>(interval.end_ns - interval.begin_ns) / 1e9;
    values.push_back(is_additive_ ? last / std::max(seconds, 1e-3) : last);
  }
  return values;
}

}  // namespace dscope
