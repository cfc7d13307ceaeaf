#include "live/distribution_pane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/format.h"

namespace dscope {

namespace {

constexpr std::array<int64_t, 7> column_lengths_ns{500'000'000,    1'000'000'000,  2'000'000'000,  5'000'000'000,
                                                   15'000'000'000, 60'000'000'000, 300'000'000'000};

std::string length_text(int64_t length_ns) {
  if (length_ns < 1'000'000'000) return fmt::format("{} ms", length_ns / 1'000'000);
  int64_t seconds = length_ns / 1'000'000'000;
  return seconds % 60 == 0 ? fmt::format("{} min", seconds / 60) : fmt::format("{} s", seconds);
}

std::string age_text(int64_t age_ns) {
  int64_t seconds = age_ns / 1'000'000'000;
  if (seconds < 120) return fmt::format("-{}s", seconds);
  return seconds % 60 == 0 ? fmt::format("-{}m", seconds / 60) : fmt::format("-{}m{:02}s", seconds / 60, seconds % 60);
}

// Small counts must be visible beside large ones.
int heat_level(double count, double largest) {
  if (count <= 0) return -1;
  double share = std::log1p(count) / std::log1p(largest);
  return std::clamp(static_cast<int>(share * heat_levels), 0, heat_levels - 1);
}

}  // namespace

DistributionPane::DistributionPane(uint32_t aggregation, const PictureAggregation& info)
    : aggregation_(aggregation), has_keys_(!info.keys.empty()), keys_(aggregation, info, /*has_total_row=*/true) {}

void DistributionPane::begin_run() {
  keys_.begin_run();
  history_ = {};
  buckets_ns_ = -1;
}

std::optional<uint32_t> DistributionPane::selected_element() const {
  return has_keys_ ? keys_.selected_element() : std::nullopt;
}

std::string DistributionPane::bound_text(int64_t bound) const {
  if (bound == std::numeric_limits<int64_t>::min()) return "min";
  if (bound == std::numeric_limits<int64_t>::max()) return "max";
  return number_text(bound, /*is_unsigned=*/false, keys_.units());
}

std::string DistributionPane::bucket_text(const PictureBucket& bucket, bool with_high) const {
  bool is_below = bucket.low == std::numeric_limits<int64_t>::min();
  bool is_above = bucket.high == std::numeric_limits<int64_t>::max();
  if (is_below) return "< " + bound_text(bucket.high);
  if (is_above) return ">= " + bound_text(bucket.low);
  if (!with_high || bucket.high == bucket.low + 1) return bound_text(bucket.low);
  return bound_text(bucket.low) + " - " + bound_text(bucket.high);
}

std::string DistributionPane::title(const AggregationModel& model) const {
  std::string text;
  if (std::optional<uint32_t> element = selected_element()) {
    for (const PictureKey& key : model.elements[*element].keys) text += (text.empty() ? "" : ", ") + key_line(key);
  } else {
    text = has_keys_ ? "all keys" : "@" + model.info.name;
  }
  return text;
}

// Adding up the buckets of all elements is the most expensive part of a drawing.
void DistributionPane::update_buckets(const AggregationModel& model) {
  const std::vector<HistoryInterval>& intervals = model.history.intervals();
  int64_t end_ns = intervals.empty() ? 0 : intervals.back().end_ns;
  if (end_ns == buckets_ns_ && selected_element() == buckets_element_) return;
  buckets_element_ = selected_element();
  buckets_ns_ = end_ns;
  buckets_ = bucket_rows(model, buckets_element_);
}

void DistributionPane::draw_histogram(Canvas& canvas, ScreenArea area) const {
  std::vector<PictureBucket> rows = join_buckets(buckets_, static_cast<size_t>(std::max(area.rows, 1)));
  double largest = 0, all = 0;
  int label_width = 0, count_width = 0;
  for (const PictureBucket& row : rows) {
    largest = std::max(largest, static_cast<double>(row.count));
    all += static_cast<double>(row.count);
  }
  bool with_high = area.columns >= 56, is_unicode = canvas.mode().is_unicode;
  auto count_of = [](const PictureBucket& row) { return number_within(row.count, false, NumberUnits::Digits, 15); };
  for (const PictureBucket& row : rows) {
    label_width = std::max(label_width, text_width(bucket_text(row, with_high), is_unicode));
    count_width = std::max(count_width, static_cast<int>(count_of(row).size()));
  }
  bool has_share = area.columns >= label_width + count_width + 24;
  int bar_column = area.column + label_width + 1;
  int bar_width = area.columns - label_width - count_width - 3 - (has_share ? 8 : 0);
  for (size_t i = 0; i < rows.size() && static_cast<int>(i) < area.rows; ++i) {
    int row = area.row + static_cast<int>(i);
    auto count = static_cast<double>(rows[i].count);
    canvas.put_right(row, area.column + label_width, bucket_text(rows[i], with_high), ScreenStyle::Text, label_width);
    canvas.put(row, bar_column, canvas.separator(), ScreenStyle::Dim);
    if (bar_width > 0 && largest > 0)
      canvas.put(row, bar_column + 1, bar_text(bar_width * count / largest, bar_width, is_unicode), ScreenStyle::Bar,
                 bar_width);
    int end = area.column + area.columns - (has_share ? 8 : 0);
    canvas.put_right(row, end, count_of(rows[i]), count == 0 ? ScreenStyle::Dim : ScreenStyle::Text, count_width);
    if (has_share && count > 0)
      canvas.put_right(row, area.column + area.columns, share_text(count / all), ScreenStyle::Dim, 8);
  }
}

void DistributionPane::draw_heat_cell(Canvas& canvas, int row, int column, int level) const {
  if (level < 0) return;
  constexpr std::u32string_view shades = U"░▒▓█", characters = U".,:-=+*%#@";
  char32_t character = U' ';
  if (!canvas.mode().has_palette) {
    if (canvas.mode().is_unicode) character = shades[static_cast<size_t>(level) * shades.size() / heat_levels];
    else character = characters[static_cast<size_t>(level)];
  }
  canvas.fill(row, column, 1, character, heat_style(level));
}

// Ages below the columns: "-60s", "-30s", "now".
void DistributionPane::draw_time_axis(Canvas& canvas, ScreenArea area, const HeatGrid& grid, int first_column) const {
  int row = area.row + area.rows - 1, end = area.column + area.columns;
  canvas.put_right(row, end, "now", ScreenStyle::Dim, 3);
  constexpr int every = 20;  // columns
  for (int back = every; end - back - 3 > first_column; back += every) {
    std::string text = age_text(back * grid.column_ns);
    if (end - back - static_cast<int>(text.size()) / 2 < first_column) break;
    canvas.put(row, end - back - static_cast<int>(text.size()) / 2, text, ScreenStyle::Dim);
  }
}

void DistributionPane::draw_legend(Canvas& canvas, int row, int column, double largest) const {
  column += canvas.put(row, column, "1 ", ScreenStyle::Dim);
  for (int level = 0; level < heat_levels; ++level) draw_heat_cell(canvas, row, column++, level);
  std::string text = number_text(std::llround(largest), /*is_unsigned=*/false, NumberUnits::Digits);
  canvas.put(row, column + 1, text, ScreenStyle::Dim);
}

void DistributionPane::draw_heat_map(Canvas& canvas, ScreenArea area, const AggregationModel& model) {
  bool is_unicode = canvas.mode().is_unicode;
  int label_width = 0;
  size_t max_rows = static_cast<size_t>(std::max(area.rows - 1, 1));
  std::vector<PictureBucket> rows = join_buckets(buckets_, max_rows);
  for (const PictureBucket& row : rows)
    label_width = std::max(label_width, text_width(bucket_text(row, false), is_unicode));
  int first_column = area.column + label_width + 2;
  int columns = std::max(area.column + area.columns - first_column, 0);
  HeatGrid grid =
      history_.grid(model, selected_element(), std::move(rows), column_lengths_ns[zoom_], static_cast<size_t>(columns));
  // A tall screen has several lines for a bucket. Large values are at the top.
  int height = std::clamp(static_cast<int>(max_rows / std::max<size_t>(grid.buckets.size(), 1)), 1, 3);
  int picture_rows = height * static_cast<int>(grid.buckets.size());
  for (size_t i = 0; i < grid.buckets.size(); ++i) {
    int bottom = area.row + picture_rows - 1 - height * static_cast<int>(i);
    canvas.put_right(bottom, area.column + label_width, bucket_text(grid.buckets[i], false), ScreenStyle::Text,
                     label_width);
    for (int row = bottom - height + 1; row <= bottom; ++row) {
      canvas.put(row, area.column + label_width + 1, canvas.separator(), ScreenStyle::Dim);
      for (size_t column = 0; column < grid.columns.size(); ++column)
        draw_heat_cell(canvas, row, first_column + static_cast<int>(column),
                       heat_level(grid.columns[column][i], grid.largest));
    }
  }
  if (area.rows > picture_rows + 2) draw_legend(canvas, area.row + picture_rows + 2, first_column, grid.largest);
  area.rows = std::min(area.rows, picture_rows + 1);
  draw_time_axis(canvas, area, grid, first_column);
  if (selected_element() && !model.history.has_elements())
    canvas.put(area.row, first_column, "too many elements for a history of each: select all keys", ScreenStyle::Warning,
               columns);
}

void DistributionPane::draw_picture(Canvas& canvas, ScreenArea area, const AggregationModel& model) {
  update_buckets(model);
  int64_t count = 0;
  for (const PictureBucket& row : buckets_) count += row.count;
  canvas.fill(area.row, area.column, area.columns, U' ', ScreenStyle::Heading);
  std::string facts;
  if (count > 0)
    facts = fmt::format("p50 < {}  p99 < {}", bound_text(percentile_bound(buckets_, 0.5)),
                        bound_text(percentile_bound(buckets_, 0.99)));
  if (count > 0 && area.columns >= 64)
    facts = number_text(count, /*is_unsigned=*/false, NumberUnits::Digits) + " values  " + facts;
  if (is_heat_map_) facts = fmt::format("{} a column", length_text(column_lengths_ns[zoom_]));
  int width = text_width(facts, canvas.mode().is_unicode);
  bool has_facts = area.columns >= width + 14;
  canvas.put(area.row, area.column, title(model), ScreenStyle::SortedHeading,
             area.columns - (has_facts ? width + 2 : 0));
  if (has_facts) canvas.put_right(area.row, area.column + area.columns, facts, ScreenStyle::Heading, width);
  ++area.row;
  --area.rows;
  if (buckets_.empty()) canvas.put(area.row, area.column + 1, "nothing yet", ScreenStyle::Dim, area.columns - 1);
  else if (is_heat_map_) draw_heat_map(canvas, area, model);
  else draw_histogram(canvas, area);
}

void DistributionPane::draw(Canvas& canvas, ScreenArea area, const RunModel& model) {
  const AggregationModel& aggregation = model.aggregations()[aggregation_];
  keys_.update(model);
  // The keys are at the side of a wide screen and above the picture of a tall one. A small screen shows the selected
  // key only, in the heading of the picture.
  if (has_keys_ && area.columns >= 72) {
    int width = std::clamp(area.columns * 2 / 5, 32, 64);
    keys_.draw(canvas, {.row = area.row, .column = area.column, .rows = area.rows, .columns = width}, model);
    area.column += width + 2;
    area.columns -= width + 2;
  } else if (has_keys_) {
    int rows = area.rows >= 14 ? std::min(area.rows / 3, 8) : 0;
    ScreenArea list{.row = area.row, .column = area.column, .rows = rows, .columns = area.columns};
    if (rows > 0) keys_.draw(canvas, list, model);
    area.row += rows;
    area.rows -= rows;
  }
  draw_picture(canvas, area, aggregation);
}

bool DistributionPane::handle(const KeyPress& key, const RunModel& model) {
  if (key.kind == KeyPress::Kind::Character) {
    switch (key.character) {
      case U'm': is_heat_map_ = !is_heat_map_; return true;
      case U'+':
      case U'=': zoom_ -= std::min<size_t>(zoom_, 1); return is_heat_map_;
      case U'-': zoom_ = std::min(zoom_ + 1, column_lengths_ns.size() - 1); return is_heat_map_;
      default: break;
    }
  }
  return keys_.handle(key, model);
}

std::string DistributionPane::summary(const RunModel& model) const { return has_keys_ ? keys_.summary(model) : ""; }

std::string DistributionPane::key_hints() const {
  return is_heat_map_ ? "m histogram  + - time  u units  Enter drill down"
                      : "m heat map  u units  / filter  Enter drill down";
}

}  // namespace dscope
