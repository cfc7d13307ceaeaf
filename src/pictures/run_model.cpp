#include "pictures/run_model.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "pictures/element_merge.h"

namespace dscope {

namespace {

// How the value of an element differs from its last one.
void append_cells(std::vector<HistoryCell>& cells, const PictureAggregation& info, uint32_t element,
                  const PictureValue& before, const PictureValue& now) {
  if (!info.is_distribution()) {
    if (now.numbers.size() != 1) return;  // percentile()
    int64_t old = before.numbers.empty() || !info.is_additive() ? 0 : before.numbers.front();
    // Sums wrap.
    auto amount = static_cast<int64_t>(static_cast<uint64_t>(now.numbers.front()) - static_cast<uint64_t>(old));
    if (amount != 0 || !info.is_additive()) cells.push_back({.element = element, .amount = amount});
    return;
  }
  auto old = before.buckets.begin();
  for (const PictureBucket& bucket : now.buckets) {
    while (old != before.buckets.end() && old->low < bucket.low) ++old;
    int64_t count = old != before.buckets.end() && old->low == bucket.low ? old->count : 0;
    if (bucket.count != count)
      cells.push_back({.element = element, .low = bucket.low, .high = bucket.high, .amount = bucket.count - count});
  }
}

// The number that avg() and stddev() print.
void compute_number(const PictureAggregation& info, PictureValue& value) {
  const PictureParts& parts = value.parts;
  if (info.function == AggregationFunction::Avg) value.numbers = {parts.count != 0 ? parts.sum / parts.count : 0};
  if (info.function != AggregationFunction::Stddev || parts.count == 0) return;
  auto count = static_cast<double>(parts.count);
  double mean = static_cast<double>(parts.sum) / count;
  value.numbers = {static_cast<int64_t>(std::sqrt(std::max(0.0, parts.sum_of_squares / count - mean * mean)))};
}

// `value` added to what an earlier run has ended with.
PictureValue with_carried(const AggregationModel& aggregation, uint32_t place, const PictureValue& value) {
  bool is_carried = place < aggregation.carried.size() && !aggregation.carried[place].is_empty();
  if (!is_carried) return value;
  PictureValue sum = aggregation.carried[place];
  merge_value(aggregation.info.function, sum, value);
  compute_number(aggregation.info, sum);
  return sum;
}

bool is_assigned(const AggregationModel& aggregation, uint32_t place) {
  return std::ranges::find(aggregation.places, place) != aggregation.places.end();
}

// The element with these keys; its place is the size if there is none.
uint32_t find_element(const AggregationModel& aggregation, const std::vector<PictureKey>& keys, bool is_overflow) {
  auto found = std::ranges::find_if(aggregation.elements, [&](const PictureElement& element) {
    return !element.is_removed && element.is_overflow == is_overflow && element.keys == keys;
  });
  return static_cast<uint32_t>(found - aggregation.elements.begin());
}

void add_element(AggregationModel& aggregation, const NewElement& added) {
  auto number = std::min(added.number, static_cast<uint32_t>(aggregation.places.size()));
  bool is_known_number = number < aggregation.places.size();
  if (!is_known_number) aggregation.places.push_back(~0U);
  uint32_t& place = aggregation.places[number];
  auto end = static_cast<uint32_t>(aggregation.elements.size());
  if (!aggregation.carried.empty()) {
    uint32_t carried = find_element(aggregation, added.keys, added.is_overflow);
    if (carried < end && !is_assigned(aggregation, carried)) {
      place = carried;
      return;
    }
  }
  if (is_known_number) aggregation.history.forget(place);
  else place = end;
  if (place == end) aggregation.elements.emplace_back();
  aggregation.elements[place] = {.keys = added.keys,
                                 .value = {},
                                 .is_removed = false,
                                 .is_overflow = added.is_overflow,
                                 .created_ns = added.created_ns};
}

bool continues(const PictureAggregation& info, const PictureAggregation& earlier) {
  return can_merge(info.function) && info.source_hash != 0 && info.source_hash == earlier.source_hash &&
         info.name == earlier.name && info.function == earlier.function && info.keys == earlier.keys &&
         info.is_unsigned == earlier.is_unsigned && info.bucket_ends == earlier.bucket_ends;
}

template <typename Notice>
void keep_first(std::vector<Notice>& kept, const std::vector<Notice>& added) {
  size_t room = RunModel::max_notices - std::min(kept.size(), RunModel::max_notices);
  kept.insert(kept.end(), added.begin(), added.begin() + static_cast<ptrdiff_t>(std::min(room, added.size())));
}

}  // namespace

// Sorts the cells and joins those of the same element and bucket.
void AggregationHistory::normalize(std::vector<HistoryCell>& cells) const {
  auto key = [](const HistoryCell& cell) { return std::tuple{cell.element, cell.low}; };
  std::ranges::stable_sort(cells, {}, key);
  size_t kept = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (kept != 0 && key(cells[kept - 1]) == key(cells[i])) {
      // Sums wrap. A number that cannot be added is replaced by the later one.
      auto sum = static_cast<uint64_t>(cells[kept - 1].amount) + static_cast<uint64_t>(cells[i].amount);
      cells[kept - 1].amount = is_additive_ ? static_cast<int64_t>(sum) : cells[i].amount;
    } else {
      cells[kept++] = cells[i];
    }
  }
  cells.resize(kept);
}

void AggregationHistory::add(int64_t begin_ns, int64_t end_ns, std::vector<HistoryCell> cells) {
  if (!intervals_.empty()) begin_ns = intervals_.back().end_ns;
  if (end_ns <= begin_ns) {
    if (cells.empty() || intervals_.empty()) return;
    // The clock was set back: the last interval takes the cells, so that sums stay right.
    HistoryInterval& last = intervals_.back();
    cells.insert(cells.begin(), last.cells.begin(), last.cells.end());
    end_ns = last.end_ns;
    begin_ns = last.begin_ns;
    cell_count_ -= last.cells.size();
    intervals_.pop_back();
  }
  if (!has_elements_)
    for (HistoryCell& cell : cells) cell.element = all_elements;
  normalize(cells);
  cell_count_ += cells.size();
  intervals_.push_back({.begin_ns = begin_ns, .end_ns = end_ns, .cells = std::move(cells)});
  if (has_elements_ && cell_count_ > max_cells_) drop_elements();
  if (intervals_.size() > max_intervals) join_pairs();
}

void AggregationHistory::forget(uint32_t element) {
  if (!has_elements_) return;
  for (HistoryInterval& interval : intervals_)
    cell_count_ -= std::erase_if(interval.cells, [&](const HistoryCell& cell) { return cell.element == element; });
}

void AggregationHistory::join_pairs() {
  cell_count_ = 0;
  std::vector<HistoryInterval> joined;
  for (size_t i = 0; i < intervals_.size(); i += 2) {
    HistoryInterval interval = std::move(intervals_[i]);
    if (i + 1 < intervals_.size()) {
      HistoryInterval& next = intervals_[i + 1];
      interval.end_ns = next.end_ns;
      interval.cells.insert(interval.cells.end(), next.cells.begin(), next.cells.end());
      normalize(interval.cells);
    }
    cell_count_ += interval.cells.size();
    joined.push_back(std::move(interval));
  }
  intervals_ = std::move(joined);
}

// Numbers that cannot be added have no history without their elements.
void AggregationHistory::drop_elements() {
  has_elements_ = false;
  cell_count_ = 0;
  for (HistoryInterval& interval : intervals_) {
    if (!is_additive_) interval.cells.clear();
    for (HistoryCell& cell : interval.cells) cell.element = all_elements;
    normalize(interval.cells);
    interval.cells.shrink_to_fit();
    cell_count_ += interval.cells.size();
  }
}

RunModel::RunModel(RunStart start, const Limits& limits)
    : limits_(limits), start_(std::move(start)), last_time_ns_(start_.start_ns) {
  for (const PictureAggregation& info : start_.aggregations)
    aggregations_.push_back(
        {.info = info, .elements = {}, .history = AggregationHistory{info.is_additive(), limits_.max_history_cells}});
}

void RunModel::apply(const RunUpdate& update) {
  for (const NewElement& added : update.new_elements) add_element(aggregations_.at(added.aggregation), added);
  std::vector<std::vector<HistoryCell>> cells(aggregations_.size());
  for (const ElementChange& change : update.changes) {
    AggregationModel& aggregation = aggregations_.at(change.aggregation);
    uint32_t place = aggregation.places.at(change.element);
    PictureElement& element = aggregation.elements.at(place);
    PictureValue value = with_carried(aggregation, place, change.value);
    append_cells(cells[change.aggregation], aggregation.info, place, element.value, value);
    element.value = std::move(value);
    element.is_removed = change.is_removed;
    if (change.is_removed && place < aggregation.carried.size()) aggregation.carried[place] = {};
  }
  for (size_t i = 0; i < aggregations_.size(); ++i)
    aggregations_[i].history.add(start_.start_ns, update.time_ns, std::move(cells[i]));
}

void RunModel::add(RunUpdate update) {
  start_.probes.insert(start_.probes.end(), update.probes.begin(), update.probes.end());
  apply(update);
  last_time_ns_ = std::max(last_time_ns_, update.time_ns);
  for (PictureRow& row : update.rows) rows_.push_back(std::move(row));
  dropped_rows_ += update.lost_rows;
  for (; rows_.size() > limits_.max_rows; ++expired_rows_) rows_.pop_front();
  keep_first(faults_, update.faults);
  fault_count_ += update.faults.size();
  keep_first(drops_, update.drops);
  for (const PictureDrop& drop : update.drops) {
    drop_count_ += drop.count;
    drop_counts_[drop.kind] += drop.count;
    if (drop.loses_rows()) dropped_rows_ += drop.count;
  }
  cost_ = update.cost;
  if (!update.fills.empty()) fills_ = std::move(update.fills);
}

std::vector<bool> RunModel::continue_from(const RunModel& earlier) {
  std::vector<bool> continued(aggregations_.size());
  for (size_t i = 0; i < aggregations_.size(); ++i) {
    AggregationModel& aggregation = aggregations_[i];
    auto same = std::ranges::find_if(
        earlier.aggregations_, [&](const AggregationModel& each) { return continues(aggregation.info, each.info); });
    if (same == earlier.aggregations_.end()) continue;
    continued[i] = true;
    for (const PictureElement& element : same->elements) {
      if (element.is_removed) continue;
      uint32_t place = find_element(aggregation, element.keys, element.is_overflow);
      if (place == aggregation.elements.size())
        aggregation.elements.push_back({.keys = element.keys, .value = {}, .is_overflow = element.is_overflow});
      if (aggregation.carried.size() <= place) aggregation.carried.resize(place + size_t{1});
      aggregation.carried[place] = element.value;
      PictureElement& own = aggregation.elements[place];
      own.value = with_carried(aggregation, place, own.value);
      own.created_ns = element.created_ns != 0 ? element.created_ns : earlier.start_.start_ns;
    }
  }
  return continued;
}

void RunModel::expire_carried() {
  for (AggregationModel& aggregation : aggregations_)
    for (uint32_t place = 0; place < aggregation.carried.size(); ++place)
      if (!is_assigned(aggregation, place)) aggregation.elements[place].is_removed = true;
}

}  // namespace dscope
