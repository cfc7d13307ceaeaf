// Heat maps and histograms of SVG pictures, of quantize(), lquantize() and llquantize().
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "pictures/profile/flame_tree.h"
#include "pictures/profile/picture_text.h"
#include "pictures/profile/svg_parts.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr size_t max_columns = 180;  // of a heat map
constexpr int step_count = 8;        // of its colors
constexpr size_t panel_count = 6;    // histograms: all keys, and the first ones
constexpr double label_width = 110;

// The range of values [low, high), and how many were in it.
using Buckets = std::map<int64_t, PictureBucket>;  // by their low ends

void add_bucket(Buckets& buckets, int64_t low, int64_t high, int64_t count) {
  PictureBucket& bucket = buckets[low];
  bucket.low = low;
  bucket.high = high;
  bucket.count += count;
}

std::string range_text(const PictureBucket& bucket) {
  if (bucket.low == INT64_MIN) return "below " + grouped_number(bucket.high);
  if (bucket.high == INT64_MAX) return grouped_number(bucket.low) + " and more";
  if (bucket.high - bucket.low == 1) return grouped_number(bucket.low);
  return fmt::format("{} to {}", grouped_number(bucket.low), grouped_number(bucket.high - 1));
}

std::string axis_text(const PictureBucket& bucket) {
  return bucket.low == INT64_MIN ? "<" + grouped_number(bucket.high) : grouped_number(bucket.low);
}

Buckets all_buckets(const AggregationModel& aggregation) {
  Buckets buckets;
  for (const PictureElement& element : aggregation.elements)
    for (const PictureBucket& bucket : element.value.buckets)
      add_bucket(buckets, bucket.low, bucket.high, bucket.count);
  return buckets;
}

// Empty buckets between others have a row, so that equal distances are equal ratios or differences. Only those of
// quantize() are known from their neighbors.
void fill_gaps(Buckets& buckets, AggregationFunction function) {
  if (function != AggregationFunction::Quantize || buckets.empty()) return;
  int64_t first = buckets.begin()->first, last = buckets.rbegin()->first;
  for (int64_t low = 1; low > 0 && low<last; low = low> INT64_MAX / 2 ? 0 : low * 2)
    if (low > first)
      buckets.try_emplace(low, PictureBucket{.low = low, .high = low > INT64_MAX / 2 ? INT64_MAX : low * 2});
  if (first < 0 && last > 0) buckets.try_emplace(0, PictureBucket{.low = 0, .high = 1});
}

class HeatMap {
 public:
  HeatMap(SvgCanvas& canvas, const AggregationModel& aggregation) : canvas_(canvas) {
    const std::vector<HistoryInterval>& intervals = aggregation.history.intervals();
    for (const HistoryInterval& interval : intervals)
      for (const HistoryCell& cell : interval.cells) add_bucket(rows_, cell.low, cell.high, 0);
    fill_gaps(rows_, aggregation.info.function);
    if (intervals.empty()) return;
    begin_ns_ = intervals.front().begin_ns;
    end_ns_ = intervals.back().end_ns;
    column_count_ = std::min(max_columns, intervals.size());
    for (const HistoryInterval& interval : intervals)
      for (const HistoryCell& cell : interval.cells) {
        int64_t& count = counts_[{column_of(interval), cell.low}];
        count += cell.amount;
        greatest_ = std::max(greatest_, count);
      }
  }

  void draw() {
    if (rows_.empty() || column_count_ == 0) return;
    canvas_.y += 8;
    row_height_ = rows_.size() > 40 ? 9 : 14;
    double top = canvas_.y, row_top = top;
    size_t label_distance = rows_.size() > 40 ? 2 : 1, index = 0;
    canvas_.rect({grid_x, top, grid_width, row_height_ * static_cast<double>(rows_.size())}, "empty");
    for (auto row = rows_.rbegin(); row != rows_.rend(); ++row, row_top += row_height_) {
      if (index++ % label_distance == 0)
        canvas_.text(grid_x - 6, row_top + row_height_ - 3, "end", axis_text(row->second));
      draw_row(row->second, row_top);
    }
    canvas_.y = row_top;
    draw_axis();
  }

 private:
  static constexpr double grid_x = SvgCanvas::margin + label_width;
  static constexpr double grid_width = SvgCanvas::inner_width - label_width;

  double columns() const { return static_cast<double>(column_count_); }

  size_t column_of(const HistoryInterval& interval) const {
    double middle =
        static_cast<double>(interval.begin_ns - begin_ns_) / 2 + static_cast<double>(interval.end_ns - begin_ns_) / 2;
    double share = middle / static_cast<double>(std::max<int64_t>(end_ns_ - begin_ns_, 1));
    return std::min(column_count_ - 1, static_cast<size_t>(share * columns()));
  }

  int64_t time_of(size_t column) const {
    return static_cast<int64_t>(static_cast<double>(end_ns_ - begin_ns_) * static_cast<double>(column) / columns());
  }

  // Few cells are as full as the fullest one: the square root leaves them more steps.
  int step_of(int64_t count) const {
    double share = std::sqrt(static_cast<double>(count) / static_cast<double>(greatest_));
    return std::clamp(static_cast<int>(std::ceil(share * step_count)), 1, step_count);
  }

  void draw_row(const PictureBucket& row, double top) {
    double width = grid_width / columns();
    for (size_t column = 0; column < column_count_; ++column) {
      auto found = counts_.find({column, row.low});
      if (found == counts_.end() || found->second <= 0) continue;
      std::string tooltip =
          fmt::format("{} to {}: {} values, {}", duration_text(time_of(column)), duration_text(time_of(column + 1)),
                      grouped_number(found->second), range_text(row));
      canvas_.rect({grid_x + width * static_cast<double>(column), top, width, row_height_},
                   fmt::format("h{}", step_of(found->second)), tooltip);
    }
  }

  void draw_axis() {
    canvas_.y += 14;
    canvas_.text(grid_x, canvas_.y, "", duration_text(0));
    canvas_.text(grid_x + grid_width / 2, canvas_.y, "middle", duration_text((end_ns_ - begin_ns_) / 2));
    canvas_.text(grid_x + grid_width, canvas_.y, "end", duration_text(end_ns_ - begin_ns_));
    canvas_.y += 8;
    for (int step = 1; step <= step_count; ++step)
      canvas_.rect({grid_x + 18 * (step - 1), canvas_.y, 18, 10}, fmt::format("h{}", step));
    canvas_.text(grid_x + 18 * step_count + 8, canvas_.y + 9, "note",
                 fmt::format("1 to {} values per cell, by their square root", grouped_number(greatest_)));
    canvas_.y += 12;
  }

  SvgCanvas& canvas_;
  Buckets rows_;
  std::map<std::pair<size_t, int64_t>, int64_t> counts_;  // by column and low end
  int64_t begin_ns_ = 0, end_ns_ = 0, greatest_ = 0;
  size_t column_count_ = 0;
  double row_height_ = 14;
};

struct Panel {
  std::string name;
  Buckets buckets;
  int64_t total = 0;
};

std::vector<Panel> panels_of(const AggregationModel& aggregation) {
  std::vector<Panel> panels;
  for (const PictureElement& element : aggregation.elements) {
    if (element.is_removed) continue;
    Panel panel{
        .name = keys_text(element.keys), .buckets = {}, .total = additive_value(aggregation.info, element.value)};
    for (const PictureBucket& bucket : element.value.buckets) panel.buckets[bucket.low] = bucket;
    panels.push_back(std::move(panel));
  }
  std::ranges::stable_sort(panels, std::ranges::greater{}, &Panel::total);
  if (panels.size() == 1) return panels;
  Panel all{.name = "all keys", .buckets = all_buckets(aggregation), .total = 0};
  for (const Panel& panel : panels) all.total += panel.total;
  panels.insert(panels.begin(), std::move(all));
  return panels;
}

constexpr double panel_gap = 20, panel_row_height = 13;
constexpr double panel_width = (SvgCanvas::inner_width - 2 * panel_gap) / 3;

// Returns the bottom.
double draw_panel(SvgCanvas& canvas, Panel& panel, AggregationFunction function, double x, double y) {
  constexpr double labels = 92, numbers = 84, bars = panel_width - labels - numbers;
  std::string title = fmt::format("{}: {} values", shortened(panel.name, 32), grouped_number(panel.total));
  canvas.text(x, y + 12, "strong", title);
  y += 18;
  fill_gaps(panel.buckets, function);
  int64_t greatest = 1;
  for (const auto& [low, bucket] : panel.buckets) greatest = std::max(greatest, bucket.count);
  for (const auto& [low, bucket] : panel.buckets) {
    canvas.text(x + labels - 6, y + 10, "end", axis_text(bucket));
    double length = bars * static_cast<double>(std::max<int64_t>(bucket.count, 0)) / static_cast<double>(greatest);
    if (length > 0)
      canvas.rect({x + labels, y + 1, length, panel_row_height - 2}, "positive",
                  fmt::format("{}: {} values", range_text(bucket), grouped_number(bucket.count)));
    canvas.text(x + labels + length + 5, y + 10, "", grouped_number(bucket.count));
    y += panel_row_height;
  }
  return y;
}

}  // namespace

void draw_heat_map(SvgCanvas& canvas, const AggregationModel& aggregation) {
  canvas.note("over time, all keys together");
  HeatMap{canvas, aggregation}.draw();
}

void draw_histograms(SvgCanvas& canvas, const AggregationModel& aggregation) {
  std::vector<Panel> panels = panels_of(aggregation);
  if (panels.empty()) return canvas.note("no elements");
  size_t key_count = panels.size() - 1;
  if (panels.size() > panel_count) {
    panels.resize(panel_count);
    canvas.note(
        fmt::format("the {} of {} keys with the most values", panel_count - 1, grouped_number(uint64_t{key_count})));
  }
  canvas.y += 10;
  double bottom = canvas.y;
  for (size_t i = 0; i < panels.size(); ++i) {
    if (i % 3 == 0) canvas.y = i == 0 ? canvas.y : bottom + 14;
    double x = SvgCanvas::margin + (panel_width + panel_gap) * static_cast<double>(i % 3);
    bottom = std::max(bottom, draw_panel(canvas, panels[i], aggregation.info.function, x, canvas.y));
  }
  canvas.y = bottom;
}

}  // namespace dscope
