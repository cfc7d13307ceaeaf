#include "live/heat_grid.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace dscope {

namespace {

constexpr int64_t lowest = std::numeric_limits<int64_t>::min();

void add_buckets(std::unordered_map<int64_t, PictureBucket>& sums, const PictureElement& element) {
  for (const PictureBucket& bucket : element.value.buckets) {
    auto [sum, is_new] = sums.try_emplace(bucket.low, bucket);
    if (!is_new) sum->second.count += bucket.count;
  }
}

// The empty buckets between two that have counts: powers of two for quantize(), the same width for others. One bucket
// fills the gap if there are no such.
void fill_gap(std::vector<PictureBucket>& rows, int64_t end, bool is_quantize) {
  constexpr int max_fill = 512;
  const PictureBucket last = rows.back();
  if (last.low == lowest || last.high <= 0) {
    rows.push_back({.low = last.high, .high = end, .count = 0});
    return;
  }
  int64_t width = last.high - last.low;
  for (int i = 0; i < max_fill && rows.back().high < end; ++i) {
    int64_t low = rows.back().high, step = is_quantize ? low : width;
    int64_t high = step > end - low ? end : low + step;
    rows.push_back({.low = low, .high = high, .count = 0});
  }
  rows.back().high = end;
}

}  // namespace

std::vector<PictureBucket> join_buckets(const std::vector<PictureBucket>& rows, size_t max_rows) {
  size_t group = (rows.size() + max_rows - 1) / std::max<size_t>(max_rows, 1);
  if (group <= 1) return rows;
  std::vector<PictureBucket> groups;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i % group == 0) groups.push_back(rows[i]);
    else {
      groups.back().high = rows[i].high;
      groups.back().count += rows[i].count;
    }
  }
  return groups;
}

std::vector<PictureBucket> bucket_rows(const AggregationModel& model, std::optional<uint32_t> element) {
  std::unordered_map<int64_t, PictureBucket> sums;
  if (element) {
    add_buckets(sums, model.elements[*element]);
  } else {
    for (const PictureElement& each : model.elements) add_buckets(sums, each);
  }
  std::vector<PictureBucket> sorted;
  for (const auto& [low, bucket] : sums) sorted.push_back(bucket);
  std::ranges::sort(sorted, {}, &PictureBucket::low);
  std::vector<PictureBucket> rows;
  for (const PictureBucket& bucket : sorted) {
    if (!rows.empty() && rows.back().high < bucket.low)
      fill_gap(rows, bucket.low, model.info.function == AggregationFunction::Quantize);
    rows.push_back(bucket);
  }
  return rows;
}

const std::vector<HistoryCell>& HeatHistory::sums_of(const AggregationHistory& history, size_t interval) {
  const HistoryInterval& from = history.intervals()[interval];
  if (sums_.size() <= interval) sums_.resize(interval + 1);
  Sums& sums = sums_[interval];
  if (sums.begin_ns == from.begin_ns && sums.end_ns == from.end_ns && sums.cell_count == from.cells.size())
    return sums.cells;
  std::map<int64_t, int64_t> amounts;
  for (const HistoryCell& cell : from.cells) amounts[cell.low] += cell.amount;
  sums = {.begin_ns = from.begin_ns, .end_ns = from.end_ns, .cell_count = from.cells.size(), .cells = {}};
  for (const auto& [low, amount] : amounts)
    sums.cells.push_back({.element = all_elements, .low = low, .amount = amount});
  return sums.cells;
}

HeatGrid HeatHistory::grid(const AggregationModel& model, std::optional<uint32_t> element,
                           std::vector<PictureBucket> buckets, int64_t column_ns, size_t max_columns) {
  HeatGrid grid{.buckets = std::move(buckets), .columns = {}, .column_ns = column_ns};
  const std::vector<HistoryInterval>& intervals = model.history.intervals();
  if (intervals.size() < sums_.size()) sums_.clear();  // joined in pairs
  if (intervals.empty() || grid.buckets.empty() || max_columns == 0) return grid;
  // Columns begin at multiples of their length, so that they do not change when the picture scrolls.
  int64_t last_column = (intervals.back().end_ns - 1) / column_ns;
  int64_t first_column = last_column - static_cast<int64_t>(max_columns) + 1;
  grid.end_ns = (last_column + 1) * column_ns;
  grid.columns.assign(max_columns, std::vector<double>(grid.buckets.size()));
  auto add = [&](const HistoryInterval& interval, const HistoryCell& cell) {
    auto bucket = std::ranges::upper_bound(grid.buckets, cell.low, {}, &PictureBucket::low);
    if (bucket == grid.buckets.begin() || cell.amount <= 0) return;
    auto row = static_cast<size_t>(bucket - grid.buckets.begin() - 1);
    // An interval that overlaps several columns is divided among them.
    double per_ns = static_cast<double>(cell.amount) / static_cast<double>(interval.end_ns - interval.begin_ns);
    for (int64_t column = interval.begin_ns / column_ns; column <= (interval.end_ns - 1) / column_ns; ++column) {
      if (column < first_column) continue;
      int64_t begin = std::max(interval.begin_ns, column * column_ns);
      int64_t end = std::min(interval.end_ns, (column + 1) * column_ns);
      grid.columns[static_cast<size_t>(column - first_column)][row] += per_ns * static_cast<double>(end - begin);
    }
  };
  for (size_t i = intervals.size() - 1; i < intervals.size(); --i) {
    if (intervals[i].end_ns <= first_column * column_ns) break;
    const std::vector<HistoryCell>& cells = element ? intervals[i].cells : sums_of(model.history, i);
    auto cell = element ? std::ranges::lower_bound(cells, *element, {}, &HistoryCell::element) : cells.begin();
    for (; cell != cells.end() && (!element || cell->element == *element); ++cell) add(intervals[i], *cell);
  }
  for (const std::vector<double>& column : grid.columns)
    for (double count : column) grid.largest = std::max(grid.largest, count);
  return grid;
}

int64_t percentile_bound(const std::vector<PictureBucket>& buckets, double share) {
  double all = 0, below = 0;
  for (const PictureBucket& bucket : buckets) all += static_cast<double>(bucket.count);
  for (const PictureBucket& bucket : buckets) {
    below += static_cast<double>(bucket.count);
    if (bucket.count > 0 && below >= share * all) return bucket.high;
  }
  return 0;
}

}  // namespace dscope
