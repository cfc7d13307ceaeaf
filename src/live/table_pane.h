// TablePane: the elements of an aggregation as a table: keys, values, rate, share, a bar of the share and the trend of
// the last intervals. Columns that a narrow screen has no room for are left out from the right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "live/element_table.h"
#include "live/list_cursor.h"
#include "live/number_text.h"
#include "live/pane.h"

namespace dscope {

class TablePane : public LivePane {
 public:
  // `has_total_row`: the first row stands for all elements.
  TablePane(uint32_t aggregation, const PictureAggregation& info, bool has_total_row = false);

  void begin_run() override;
  void draw(Canvas& canvas, ScreenArea area, const RunModel& model) override;
  bool handle(const KeyPress& key, const RunModel& model) override;
  const TextFilter& filter() const override { return table_.filter(); }
  void set_filter(TextFilter filter, const RunModel& model) override;
  std::optional<uint32_t> selected_element() const override;
  std::string summary(const RunModel& model) const override;
  std::string key_hints() const override;

  NumberUnits units() const { return units_; }
  const ElementTable& table() const { return table_; }
  // For callers that draw no table: recomputes the order.
  void update(const RunModel& model);

 private:
  struct Column {
    size_t index = 0;  // of ElementTable::columns()
    int column = 0, width = 0;
  };
  struct Layout {
    std::vector<Column> columns;
    int share = -1;  // the column at which the share starts; -1: not shown
    int bar = -1, bar_width = 0;
    int trend = -1;
  };

  void fit_selection();
  Layout lay_out(const Canvas& canvas, const AggregationModel& model, int width, size_t first, size_t last);
  void measure(const Canvas& canvas, const AggregationModel& model, size_t first, size_t last);
  void draw_heading(Canvas& canvas, const Layout& layout) const;
  void draw_row(Canvas& canvas, const Layout& layout, const AggregationModel& model, int row, size_t line) const;
  void draw_total(Canvas& canvas, const Layout& layout, int row) const;
  std::string value_text(const AggregationModel& model, uint32_t element, const ElementColumn& column) const;
  size_t line_count() const { return table_.order().size() + (has_total_row_ ? 1 : 0); }
  bool handle_click(const KeyPress& key);

  uint32_t aggregation_;
  PictureAggregation info_;
  bool has_total_row_;
  ElementTable table_;
  NumberUnits units_;
  ListCursor cursor_;
  std::optional<uint32_t> followed_;  // the selected element once the user has moved the selection
  std::vector<int> widths_;           // of the columns; they only grow, so that columns stay where they are
  ScreenArea area_;                   // of the last drawing, for the mouse
  Layout layout_;
};

// "▁▃▅█": `values` as one character each, scaled to the largest.
std::string trend_text(const std::vector<double>& values, bool is_unicode);

}  // namespace dscope
