#include "pictures/run_model.h"

#include <algorithm>
#include <tuple>
#include <utility>

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
  for (const NewElement& element : update.new_elements)
    aggregations_.at(element.aggregation)
        .elements.push_back(
            {.keys = element.keys, .value = {}, .is_removed = false, .is_overflow = element.is_overflow});
  std::vector<std::vector<HistoryCell>> cells(aggregations_.size());
  for (const ElementChange& change : update.changes) {
    AggregationModel& aggregation = aggregations_.at(change.aggregation);
    PictureElement& element = aggregation.elements.at(change.element);
    append_cells(cells[change.aggregation], aggregation.info, change.element, element.value, change.value);
    element.value = change.value;
    element.is_removed = change.is_removed;
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
}

}  // namespace dscope
