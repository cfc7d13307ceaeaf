#include "live/table_pane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "support/format.h"

namespace dscope {

namespace {

constexpr int trend_width = 16;
constexpr int min_bar_width = 8, max_bar_width = 40;
constexpr int max_value_width = 19;
constexpr std::string_view total_name = "(all)";

}  // namespace

std::string trend_text(const std::vector<double>& values, bool is_unicode) {
  constexpr std::array<std::string_view, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<std::string_view, 8> characters{".", ".", ":", ":", "-", "=", "*", "#"};
  double largest = values.empty() ? 0 : *std::ranges::max_element(values);
  std::string text;
  for (double value : values) {
    if (value <= 0 || largest <= 0) text += ' ';
    else text += (is_unicode ? blocks : characters)[static_cast<size_t>(std::lround(7 * value / largest))];
  }
  return text;
}

TablePane::TablePane(uint32_t aggregation, const PictureAggregation& info, bool has_total_row)
    : aggregation_(aggregation),
      info_(info),
      has_total_row_(has_total_row),
      table_(info),
      units_(default_units(info)),
      widths_(table_.columns().size()) {}

void TablePane::begin_run() {
  ElementTable table{info_};
  table.sort_by(table_.sort_column(), table_.is_ascending());
  table.set_filter(table_.filter());
  table_ = std::move(table);
  followed_.reset();
  cursor_ = {};
}

void TablePane::update(const RunModel& model) {
  table_.update(model.aggregations()[aggregation_]);
  fit_selection();
}

// The selection stays on its element when rows move. Before the user has moved it, it stays on the first row.
void TablePane::fit_selection() {
  size_t offset = has_total_row_ ? 1 : 0;
  if (followed_) {
    auto found = std::ranges::find(table_.order(), *followed_);
    if (found != table_.order().end()) cursor_.selected = static_cast<size_t>(found - table_.order().begin()) + offset;
    else followed_.reset();
  }
  cursor_.fit(line_count(), static_cast<size_t>(std::max(area_.rows - 1, 1)));
}

std::optional<uint32_t> TablePane::selected_element() const {
  size_t offset = has_total_row_ ? 1 : 0;
  if (cursor_.selected < offset || cursor_.selected - offset >= table_.order().size()) return std::nullopt;
  return table_.order()[cursor_.selected - offset];
}

void TablePane::set_filter(TextFilter filter, const RunModel& model) {
  table_.set_filter(std::move(filter));
  update(model);
}

std::string TablePane::value_text(const AggregationModel& model, uint32_t element, const ElementColumn& column) const {
  switch (column.kind) {
    case ElementColumn::Kind::Key: return table_.key_text(element, column.index);
    case ElementColumn::Kind::Value: {
      // The count of a distribution has no unit.
      bool is_count = info_.is_distribution() && units_ == NumberUnits::Time;
      return number_within(table_.number(model, element, column.index), info_.is_unsigned,
                           is_count ? NumberUnits::Digits : units_, max_value_width);
    }
    case ElementColumn::Kind::Rate: {
      std::optional<double> rate = table_.rate(element);
      return rate ? rate_text(*rate, info_.is_distribution() ? NumberUnits::Digits : units_) : "-";
    }
  }
  return {};
}

// Widens the columns to the lines [first, last).
void TablePane::measure(const Canvas& canvas, const AggregationModel& model, size_t first, size_t last) {
  const std::vector<ElementColumn>& columns = table_.columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    int least = columns[i].kind == ElementColumn::Kind::Key ? 6 : 8;
    widths_[i] = std::max({widths_[i], least, text_width(columns[i].heading, canvas.mode().is_unicode, 40) + 2});
    for (size_t line = first; line < last; ++line)
      widths_[i] = std::max(
          widths_[i], text_width(value_text(model, table_.order()[line], columns[i]), canvas.mode().is_unicode, 200));
  }
}

TablePane::Layout TablePane::lay_out(const Canvas& canvas, const AggregationModel& model, int width, size_t first,
                                     size_t last) {
  measure(canvas, model, first, last);
  const std::vector<ElementColumn>& columns = table_.columns();
  std::vector<int> widths = widths_;
  auto is_key = [&](size_t i) { return columns[i].kind == ElementColumn::Kind::Key; };
  int keys = 0, key_count = 0, values = 0;
  for (size_t i = 0; i < columns.size(); ++i) (is_key(i) ? keys : values) += widths[i] + column_gap;
  for (size_t i = 0; i < columns.size(); ++i) key_count += is_key(i) ? 1 : 0;
  // Numbers leave the keys room for 12 columns each. Without room, share, rate and percentiles are left out.
  int min_keys = std::min(keys, key_count * (12 + column_gap));
  bool has_share = info_.is_additive() && values + share_width + column_gap + min_keys <= width;
  size_t shown = columns.size();
  while (shown > static_cast<size_t>(key_count) + 1 && values + min_keys > width)
    values -= widths[--shown] + column_gap;
  int rest = width - values - (has_share ? share_width + column_gap : 0) - keys;
  while (rest < 0) {
    // The widest key gives way.
    size_t widest = 0;
    for (size_t i = 0; i < static_cast<size_t>(key_count); ++i)
      if (widths[i] > widths[widest]) widest = i;
    if (key_count == 0 || widths[widest] <= 3) break;
    --widths[widest];
    ++rest;
  }
  Layout layout;
  int column = 0;
  for (size_t i = 0; i < shown; ++i) {
    layout.columns.push_back({.index = i, .column = column, .width = std::min(widths[i], width - column)});
    column += widths[i] + column_gap;
  }
  if (has_share) {
    layout.share = column;
    column += share_width + column_gap;
  }
  bool has_trend =
      info_.columns.empty() && width - column >= trend_width + (has_share ? column_gap + min_bar_width : 0);
  int bar_width = width - column - (has_trend ? trend_width + column_gap : 0);
  if (has_share && bar_width >= min_bar_width) {
    layout.bar = column;
    layout.bar_width = std::min(bar_width, max_bar_width);
    column += layout.bar_width + column_gap;
  }
  if (has_trend) layout.trend = column;
  return layout;
}

void TablePane::draw_heading(Canvas& canvas, const Layout& layout) const {
  canvas.fill(area_.row, area_.column, area_.columns, U' ', ScreenStyle::Heading);
  for (const Column& column : layout.columns) {
    const ElementColumn& about = table_.columns()[column.index];
    bool is_sorted = column.index == table_.sort_column();
    ScreenStyle style = is_sorted ? ScreenStyle::SortedHeading : ScreenStyle::Heading;
    std::string arrow;
    if (is_sorted && canvas.mode().is_unicode) arrow = table_.is_ascending() ? "▲" : "▼";
    else if (is_sorted) arrow = table_.is_ascending() ? "^" : "v";
    if (about.kind == ElementColumn::Kind::Key)
      canvas.put(area_.row, area_.column + column.column, about.heading + arrow, style, column.width);
    else
      canvas.put_right(area_.row, area_.column + column.column + column.width, about.heading + arrow, style,
                       column.width);
  }
  if (layout.share >= 0)
    canvas.put_right(area_.row, area_.column + layout.share + share_width, "share", ScreenStyle::Heading, share_width);
  if (layout.trend >= 0) canvas.put(area_.row, area_.column + layout.trend, "trend", ScreenStyle::Heading, trend_width);
}

void TablePane::draw_total(Canvas& canvas, const Layout& layout, int row) const {
  canvas.put(row, area_.column, total_name, ScreenStyle::Strong, area_.columns);
  for (const Column& column : layout.columns) {
    const ElementColumn& about = table_.columns()[column.index];
    std::string text;
    if (about.kind == ElementColumn::Kind::Value)
      text = number_within(static_cast<int64_t>(table_.total()), false, NumberUnits::Digits, column.width);
    else if (about.kind == ElementColumn::Kind::Rate)
      text = rate_text(table_.total_rate().value_or(0), NumberUnits::Digits);
    canvas.put_right(row, area_.column + column.column + column.width, text, ScreenStyle::Strong, column.width);
  }
}

void TablePane::draw_row(Canvas& canvas, const Layout& layout, const AggregationModel& model, int row,
                         size_t line) const {
  uint32_t element = table_.order()[line];
  for (const Column& column : layout.columns) {
    const ElementColumn& about = table_.columns()[column.index];
    std::string text = value_text(model, element, about);
    int at = area_.column + column.column;
    if (about.kind == ElementColumn::Kind::Key) {
      canvas.put(row, at, text, ScreenStyle::Text, column.width);
      size_t match = table_.filter().find(text);
      if (match == std::string::npos) continue;
      int before = text_width(std::string_view(text).substr(0, match), canvas.mode().is_unicode);
      int length = text_width(table_.filter().pattern(), canvas.mode().is_unicode);
      canvas.restyle(row, at + std::min(before, column.width), std::min(length, column.width - before),
                     ScreenStyle::Match);
    } else {
      ScreenStyle style = text == "0" || text == "-" ? ScreenStyle::Dim : ScreenStyle::Text;
      canvas.put_right(row, at + column.width, text, style, column.width);
    }
  }
  double share = table_.share(model, element);
  if (layout.share >= 0)
    canvas.put_right(row, area_.column + layout.share + share_width, share_text(share),
                     share < 0.0005 ? ScreenStyle::Dim : ScreenStyle::Text, share_width);
  // The longest bar fills its column, so that the others differ visibly.
  double length = share <= 0 ? 0 : layout.bar_width * share / table_.largest_share();
  if (layout.bar >= 0)
    canvas.put(row, area_.column + layout.bar, bar_text(length, layout.bar_width, canvas.mode().is_unicode),
               ScreenStyle::Bar, layout.bar_width);
  if (layout.trend >= 0)
    canvas.put(row, area_.column + layout.trend,
               trend_text(table_.trend(model, element, trend_width), canvas.mode().is_unicode), ScreenStyle::Dim,
               trend_width);
}

void TablePane::draw(Canvas& canvas, ScreenArea area, const RunModel& model) {
  if (area.columns != area_.columns) widths_.assign(widths_.size(), 0);
  area_ = area;
  update(model);
  const AggregationModel& aggregation = model.aggregations()[aggregation_];
  size_t rows = static_cast<size_t>(std::max(area.rows - 1, 0)), offset = has_total_row_ ? 1 : 0;
  size_t last = std::min(line_count(), cursor_.top + rows);
  size_t first_element = cursor_.top - std::min(cursor_.top, offset), last_element = last - std::min(last, offset);
  layout_ = lay_out(canvas, aggregation, area.columns, first_element, last_element);
  draw_heading(canvas, layout_);
  for (size_t line = cursor_.top; line < last; ++line) {
    int row = area.row + 1 + static_cast<int>(line - cursor_.top);
    if (line < offset) draw_total(canvas, layout_, row);
    else draw_row(canvas, layout_, aggregation, row, line - offset);
    if (line == cursor_.selected) canvas.restyle(row, area.column, area.columns, ScreenStyle::Selected);
  }
  if (line_count() == offset) {
    std::string text = table_.filter().is_empty() ? "nothing yet" : "nothing matches the filter";
    canvas.put(area.row + 1 + static_cast<int>(offset), area.column + 1, text, ScreenStyle::Dim, area.columns - 1);
  }
}

bool TablePane::handle_click(const KeyPress& key) {
  int row = key.row - area_.row;
  if (key.column < area_.column || key.column >= area_.column + area_.columns) return false;
  if (row == 0) {
    for (const Column& column : layout_.columns)
      if (key.column >= area_.column + column.column &&
          key.column < area_.column + column.column + column.width + column_gap) {
        bool is_sorted = column.index == table_.sort_column();
        bool is_key = table_.columns()[column.index].kind == ElementColumn::Kind::Key;
        table_.sort_by(column.index, is_sorted ? !table_.is_ascending() : is_key);
      }
    return true;
  }
  if (row < 0 || row >= area_.rows || cursor_.top + static_cast<size_t>(row - 1) >= line_count()) return false;
  cursor_.selected = cursor_.top + static_cast<size_t>(row - 1);
  return true;
}

bool TablePane::handle(const KeyPress& key, const RunModel& model) {
  table_.update(model.aggregations()[aggregation_]);
  auto rows = static_cast<size_t>(std::max(area_.rows - 1, 1));
  if (key.kind == KeyPress::Kind::Click || cursor_.handle(key, line_count(), rows)) {
    if (key.kind == KeyPress::Kind::Click && !handle_click(key)) return false;
    followed_ = cursor_.selected == 0 ? std::nullopt : selected_element();
    return true;
  }
  if (key.kind != KeyPress::Kind::Character) return false;
  size_t count = table_.columns().size(), sorted = table_.sort_column();
  auto is_key = [&](size_t column) { return table_.columns()[column].kind == ElementColumn::Kind::Key; };
  switch (key.character) {
    case U'<': sorted = (sorted + count - 1) % count; break;
    case U'>': sorted = (sorted + 1) % count; break;
    case U'r': table_.sort_by(sorted, !table_.is_ascending()); return true;
    case U'u':
      units_ = next_units(units_);
      widths_.assign(widths_.size(), 0);
      return true;
    default: return false;
  }
  // Names from a to z, numbers from the largest.
  table_.sort_by(sorted, is_key(sorted));
  return true;
}

std::string TablePane::summary(const RunModel&) const {
  size_t shown = table_.order().size(), all = table_.element_count();
  auto digits = [](size_t count) { return number_text(static_cast<int64_t>(count), true, NumberUnits::Digits); };
  return shown == all ? fmt::format("{} rows", digits(all)) : fmt::format("{} of {} rows", digits(shown), digits(all));
}

std::string TablePane::key_hints() const { return "Enter drill down  / filter  < > sort  r reverse  u units"; }

}  // namespace dscope
